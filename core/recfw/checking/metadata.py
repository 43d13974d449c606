"""What a plugin's distribution declares: the range of recfw, the licence, a README."""

from importlib.metadata import Distribution, version

from recfw.checking.findings import Notes
from recfw.known import known_plugins
from recfw.plugins import declared_core

_UPPER = {"<", "<=", "~=", "==", "==="}


def look_at_metadata(notes: Notes, name: str, found: Distribution | None) -> None:
    """Tell what the distribution declares, and what it leaves out."""
    if found is None:
        notes.note(name, "a module without a distribution: nothing is declared", "`recfw plugins new` writes one.")
        return
    title = f"{found.name} {found.version}"
    known = known_plugins().get(name)
    if known is not None and known.distribution != found.name:
        hint = "Take another name for the entry point."
        notes.wrong(title, f"the name '{name}' is that of the distribution {known.distribution}", hint)
    _range(notes, title, found)
    _licence(notes, title, found)
    _readme(notes, title, found)


def _range(notes: Notes, title: str, found: Distribution) -> None:
    specifier = declared_core(found)
    if specifier is None:
        notes.wrong(title, "does not require recfw", f"Add to install_requires: recfw>={version('recfw')}, and an end.")
        return
    if not specifier.contains(version("recfw"), prereleases=True):
        notes.wrong(title, f"requires recfw{specifier}, and this is {version('recfw')}", "Test it with this recfw.")
    elif not any(each.operator in _UPPER for each in specifier):
        hint = "Name the first version that may break it, such as <0.2."
        notes.wrong(title, f"requires recfw{specifier or ' of any version'}: the range has no end", hint)
    elif not any(each.operator in {">", ">=", "~=", "==", "==="} for each in specifier):
        hint = "Name the oldest version that it was tested with, such as >=0.1."
        notes.wrong(title, f"requires recfw{specifier}: the range has no beginning", hint)
    else:
        notes.ok(title, f"requires recfw{specifier}")


def _licence(notes: Notes, title: str, found: Distribution) -> None:
    fields = found.metadata
    classified = [c.rpartition(" :: ")[2] for c in fields.get_all("Classifier") or () if c.startswith("License ::")]
    named = [fields["License-Expression"], fields["License"], *classified]
    first = next((text.strip() for text in named if text and text.strip() not in {"", "UNKNOWN"}), "")
    if not first:
        notes.wrong(title, "declares no licence", "Set license in setup.cfg, and ship its text.")
    else:
        notes.ok(title, f"licence {first.splitlines()[0][:60]}")


def _readme(notes: Notes, title: str, found: Distribution) -> None:
    fields = found.metadata
    text = fields["Description"] or str(fields.get_payload() or "")  # type: ignore[attr-defined]  # a Message, which the protocol hides
    missing = [
        word
        for word, there in (("description", fields["Summary"] not in {None, "", "UNKNOWN"}), ("README", text.strip()))
        if not there
    ]
    if missing:
        hint = "Set description and long_description = file: README.md in setup.cfg."
        notes.wrong(title, f"has no {' and no '.join(missing)}", hint)
    else:
        notes.ok(title, "has a description and a README")
