"""Core's rule-based users on a fake track: any track can name them, and each tells two scripted agents apart."""

import asyncio
from collections.abc import Sequence

import pytest
from fakes.consulting import BLOCKS, ConsultingTrack

from recfw.elicitation import Fact, Predicate, Told
from recfw.elicitation.consultation import Consultation
from recfw.elicitation.goal import Goal
from recfw.elicitation.users import CostlyUser, CritiquingUser, RulesUser, SoftUser
from recfw.engine.replay import replay
from recfw.engine.request import OptionValue, RunRequest, build_spec
from recfw.engine.stage import Stage
from recfw.errors import DataError, UsageError
from recfw.model.reply import Reply
from recfw.model.run import TrialKey
from recfw.model.view import View
from recfw.plugins import build_manager
from recfw.registry import Registry
from recfw.serialize import unpack_trace
from recfw.testing.contracts import ParticipantContract, TrackContract
from recfw.testing.fakes import MemoryRecorder, context

TASK = ConsultingTrack(None).tasks()[4]


@pytest.fixture
def registry(monkeypatch: pytest.MonkeyPatch) -> Registry:
    """Return core's components and the fake track's."""
    monkeypatch.setenv("RECFW_PLUGINS", "fakes.consulting")
    return Registry(build_manager())


class TestConsultingTrack(TrackContract):
    """The fake track with its default cell."""

    component = ConsultingTrack

    @pytest.fixture
    def registry(self, monkeypatch: pytest.MonkeyPatch) -> Registry:
        """Return core's components and the fake track's."""
        monkeypatch.setenv("RECFW_PLUGINS", "fakes.consulting")
        return Registry(build_manager())


class _UserContract(ParticipantContract):
    role = "user"

    def views(self) -> Sequence[View]:
        """Return an opening, two questions, a rejected and an accepted proposal."""
        user = Consultation(TASK.public["stated"], Goal.read(TASK.private), BLOCKS)
        views = [View("user", facts=user.facts())]
        for text in ("Which shape?", "Anything else?", "[[candidate_id:grey-cone-1]]", f"[[candidate_id:{TASK.id}]]"):
            user.hear_agent(text)
            views.append(View("user", facts=user.facts()))
        return views


class TestRules(_UserContract):
    """The plain user."""

    component = RulesUser


class TestCritiquing(_UserContract):
    """The critiquing user."""

    component = CritiquingUser


class TestCostly(_UserContract):
    """The costly user."""

    component = CostlyUser


class TestSoft(_UserContract):
    """The user of soft preferences."""

    component = SoftUser


def figures(
    registry: Registry, tmp_path, user: str, agent: str, **options: object
) -> dict[str, dict[str, float | None]]:
    """Play every task; return stop reasons counted and the mean of each figure. Each trial must replay."""
    settings = tuple(OptionValue("user", name, str(value)) for name, value in options.items())
    request = RunRequest(track="fake-consulting", roles={"agent": (agent,), "user": (user,)}, settings=settings)
    spec = build_spec(registry, request)

    async def play():
        async with Stage(registry, spec, tmp_path) as stage:
            (cell,) = stage.spec.cells
            trials = []
            for task in stage.settings[cell.name].tasks:
                key = TrialKey(cell.name, task, 0)
                trial = await stage.run(key, 1, MemoryRecorder())
                assert await replay(stage, key, unpack_trace(trial.trace), trial.scores) is None
                trials.append(trial)
            return trials

    trials = asyncio.run(play())
    means = {}
    for name in ("success", "proposals", "grade"):
        values = [score.value for trial in trials for score in trial.scores if score.metric == name]
        known = [value for value in values if value is not None]
        means[name] = sum(known) / len(known) if known else None
    return {"stops": {stop: sum(t.stop == stop for t in trials) for stop in {t.stop for t in trials}}, "means": means}


def test_a_critique_spares_proposals_to_who_heeds_it(registry: Registry, tmp_path) -> None:
    """Over all tasks, the agent that takes critiques up needs fewer proposals than the one that does not."""
    heeding = figures(registry, tmp_path, "critiquing", "fake-taker")["means"]
    deaf = figures(registry, tmp_path, "critiquing", "fake-deaf")["means"]
    plain = figures(registry, tmp_path, "rules", "fake-taker")["means"]
    assert (heeding["success"], deaf["success"]) == (1.0, 1.0)
    assert deaf["proposals"] == plain["proposals"] == pytest.approx(2.0)
    assert heeding["proposals"] == pytest.approx(5 / 3)


def test_a_costly_user_leaves_who_asks_too_much(registry: Registry, tmp_path) -> None:
    """With a patience of two fields, one broad question is partly answered; three questions in turn end each trial."""
    broad = figures(registry, tmp_path, "costly", "fake-taker", patience=2)
    nagging = figures(registry, tmp_path, "costly", "fake-nagger", patience=2)
    assert broad["stops"] == {"taken": 27}
    assert nagging["stops"] == {"user_left": 27}
    assert nagging["means"]["success"] == 0.0
    assert figures(registry, tmp_path, "costly", "fake-nagger", patience=2, then="stop")["stops"] == {"taken": 27}


def test_a_soft_user_grades_what_it_accepts(registry: Registry, tmp_path) -> None:
    """What meets all requirements is graded by the preference: who does not heed it takes what is liked by chance."""
    found = figures(registry, tmp_path, "soft", "fake-taker")["means"]
    assert (found["success"], found["grade"]) == (1.0, pytest.approx(1 / 3))


@pytest.mark.parametrize(("option", "value"), [("patience", "-1"), ("then", "sulk")])
def test_an_option_that_cannot_be_is_refused_by_name(registry: Registry, option: str, value: str) -> None:
    """Before anything is played."""
    request = RunRequest(
        track="fake-consulting", roles={"user": ("costly",)}, settings=(OptionValue("user", option, value),)
    )
    with pytest.raises(UsageError, match=value):
        build_spec(registry, request)


def test_a_view_without_the_facts_is_told_in_words() -> None:
    """On a track that does not show what these users read, the error says what to do."""
    view = View("user", facts={"agent_text": None})
    with pytest.raises(DataError, match=r"does not show its users .* Name a user that the track offers"):
        asyncio.run(RulesUser().episode(context("user")).reply(view))


def test_what_a_user_reports_amiss_was_not_told() -> None:
    """Malformed data of a user neither tells anything nor ends anything; a hidden value in its words is a leak."""
    user = Consultation(TASK.public["stated"], Goal.read(TASK.private), BLOCKS)
    events = user.hear_user(Reply("It weighs 2.", data={"revealed": [1, {"field": "x"}], "left": "yes"}))
    assert [event.name for event in events] == ["told"]
    assert not user.left
    (_, leak) = user.hear_user(Reply("The weight is at least 2."))
    assert (leak.name, leak.data) == ("leak", {"fields": ["weight"]})


def test_what_a_user_told_is_known_to_the_environment() -> None:
    """Requirements and facts that it reports, in the opening or later, each once."""
    user = Consultation(TASK.public["stated"], Goal.read(TASK.private), BLOCKS)
    wish = {"field": "color", "op": "==", "value": "red"}
    known = [{"field": "age", "values": [34]}, {"field": "x"}]
    user.hear_user(Reply("Red.", data={"revealed": [wish], "extras": known}))
    user.hear_user(Reply("Red, as I said.", data={"revealed": [wish], "extras": []}))
    assert user.told == Told((Predicate("color", "==", "red"),), (Fact("age", (34,)),))


def test_proposals_are_judged_by_every_requirement() -> None:
    """An unknown, a barred, a wrong and a right item; what was violated stands in the user's facts alone."""
    user = Consultation(TASK.public["stated"], Goal.read(TASK.private), BLOCKS, barred=("red-ball-3",))
    found = []
    for item in ("nothing", "red-ball-3", "red-ball-1", TASK.id):
        (event,) = user.hear_agent(f"[[candidate_id:{item}]] or [[candidate_id:other]]")
        found.append((event.data["verdict"], event.data["known"], event.data["barred"], len(user.facts()["violated"])))
        assert event.data["others"] == ["other"]
    assert found == [
        ("rejected", False, False, 0),
        ("rejected", True, True, 0),
        ("rejected", True, False, 1),
        ("accepted", True, False, 0),
    ]
