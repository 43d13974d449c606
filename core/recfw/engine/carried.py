"""Options on how something is carried out: no part of a run's identity, so a run may be resumed with others."""

from collections.abc import Callable, Iterator, Sequence

from attrs import evolve

from recfw.engine.request import OptionValue, setting_value
from recfw.errors import UsageError
from recfw.model.run import ComponentSpec, RunSpec
from recfw.registry import Registry, option_fields

Change = Callable[[str, str, ComponentSpec], ComponentSpec]
"""(role, kind, component) -> the component as it is to be."""


def without_carried(registry: Registry, spec: RunSpec) -> RunSpec:
    """Return a run as what decides its figures: options on how something is carried out left out."""

    def stripped(_: str, kind: str, component: ComponentSpec) -> ComponentSpec:
        carried = _carried(registry, kind, component.name)
        return evolve(component, options={n: v for n, v in component.options.items() if n not in carried})

    return _changed(registry, spec, stripped)


def with_settings(registry: Registry, spec: RunSpec, settings: Sequence[OptionValue]) -> RunSpec:
    """
    Return a stored run with options of its components set anew, each by role or component name.

    Raises:
        UsageError: A setting names no component of the run, or one that has no such option, or a value of another type.
    """
    waiting = list(settings)

    def set_anew(role: str, kind: str, component: ComponentSpec) -> ComponentSpec:
        mine = [s for s in settings if s.component in {role, component.name}]
        waiting[:] = [s for s in waiting if s not in mine]
        found = registry.find(kind, component.name)
        values = {s.option: setting_value(found, s.option, s.value, f"{role} '{component.name}'") for s in mine}
        return evolve(component, options={**component.options, **values})

    changed = _changed(registry, spec, set_anew)
    for setting in waiting:
        known = ", ".join(sorted({name for name, _, _ in _components(registry, spec)}))
        asked = f"--set {setting.component}.{setting.option}"
        raise UsageError(f"{asked}: this run has no component '{setting.component}' (it has: {known}).")
    return changed


def _carried(registry: Registry, kind: str, name: str) -> set[str]:
    return {
        option for option, field in option_fields(registry.find(kind, name)).items() if field.metadata.get("carried")
    }


def _components(registry: Registry, spec: RunSpec) -> Iterator[tuple[str, str, ComponentSpec]]:
    roles = registry.find("tracks", spec.track).roles
    for cell in spec.cells:
        for role, component in cell.roles.items():
            yield role, roles[role].kind, component
    for judge in spec.judges:
        yield "judge", "judges", judge


def _changed(registry: Registry, spec: RunSpec, change: Change) -> RunSpec:
    roles = registry.find("tracks", spec.track).roles
    cells = tuple(
        evolve(cell, roles={role: change(role, roles[role].kind, made) for role, made in cell.roles.items()})
        for cell in spec.cells
    )
    return evolve(spec, cells=cells, judges=tuple(change("judge", "judges", judge) for judge in spec.judges))
