"""How far two annotators agree: raw agreement and kappa of every question, and where they differ."""

from collections.abc import Sequence

from attrs import frozen

from recfw.errors import DataError
from recfw.model.document import Block, CellValue, Column, Document, Note, Report, Table
from recfw.stats.agreement import cohen_kappa
from recfw_books.audit.questions import NUMBERS, QUESTIONS
from recfw_books.audit.sheets import Answers


@frozen
class Question:
    """
    Two annotators' answers to one question, over the items that both answered.

    Attributes:
        items: Names of the items.
        answers: The two answers to each.
        unanswered: How many items one or both left empty.
    """

    kind: str
    number: str
    items: tuple[str, ...]
    answers: tuple[tuple[str, str], ...]
    unanswered: int

    @property
    def agreed(self) -> int:
        """How many answers are the same."""
        return sum(first == second for first, second in self.answers)

    @property
    def raw(self) -> float | None:
        """The share of the same answers; None without any."""
        return self.agreed / len(self.answers) if self.answers else None

    @property
    def kappa(self) -> float | None:
        """Cohen's kappa; None without any, or where both gave one same answer throughout."""
        return cohen_kappa([first for first, _ in self.answers], [second for _, second in self.answers])


def compare(first: Answers, second: Answers, names: Sequence[str] = ("A", "B")) -> list[Question]:
    """
    Return every question that was put, in order.

    Raises:
        DataError: The two sheets hold other items.
    """
    strangers = sorted({item for _, _, item in first.keys() ^ second.keys()})
    if strangers:
        message = f"the sheets hold different items: {', '.join(strangers[:5])} in only one of {' and '.join(names)}."
        raise DataError(message, "Compare two sheets of one sample.")
    found = []
    for kind in QUESTIONS:
        for number in NUMBERS:
            items = sorted(item for k, n, item in first if (k, n) == (kind, number))
            pairs = {item: (first[kind, number, item], second[kind, number, item]) for item in items}
            both = {item: pair for item, pair in pairs.items() if all(pair)}
            if items:
                found.append(Question(kind, number, tuple(both), tuple(both.values()), len(items) - len(both)))
    return found


def agreement_report(questions: Sequence[Question], names: Sequence[str]) -> Report:
    """Return the report: a table of the questions, one of the disagreements, and all of it as figures."""
    return Report(Document(tuple(_blocks(questions, names))), figures={"questions": [_figures(q) for q in questions]})


def _blocks(questions: Sequence[Question], names: Sequence[str]) -> list[Block]:
    rows: list[tuple[CellValue, ...]] = [
        (f"{q.kind} {q.number}", QUESTIONS[q.kind][q.number], len(q.answers), q.unanswered, q.raw, q.kappa)
        for q in questions
    ]
    kinds = dict.fromkeys(q.kind for q in questions)
    rows += [_total(kind, [q for q in questions if q.kind == kind]) for kind in kinds]
    columns = (
        Column("question"),
        Column(""),
        Column("judged by both", "d"),
        Column("unanswered", "d"),
        Column("agreement", ".3f"),
        Column("kappa", ".3f"),
    )
    differ: list[tuple[CellValue, ...]] = [
        (f"{q.kind} {q.number}", item, *pair)
        for q in questions
        for item, pair in zip(q.items, q.answers, strict=True)
        if pair[0] != pair[1]
    ]
    note = Note("Kappa is Cohen's, unweighted; it is empty where both gave the same answer throughout.")
    listed = (Column("question"), Column("item"), Column(names[0]), Column(names[1]))
    last: Block = Table(listed, tuple(differ), "disagreements") if differ else Note("No disagreement.")
    return [Table(columns, tuple(rows), "agreement of the two annotators"), note, last]


def _total(kind: str, questions: Sequence[Question]) -> tuple[CellValue, ...]:
    judged, agreed = sum(len(q.answers) for q in questions), sum(q.agreed for q in questions)
    empty = sum(q.unanswered for q in questions)
    return (f"{kind}, all", "", judged, empty, agreed / judged if judged else None, None)


def _figures(question: Question) -> dict[str, object]:
    return {
        "kind": question.kind,
        "question": question.number,
        "judged": len(question.answers),
        "unanswered": question.unanswered,
        "agreed": question.agreed,
        "agreement": question.raw,
        "kappa": question.kappa,
        "disagreements": [
            [item, *pair] for item, pair in zip(question.items, question.answers, strict=True) if pair[0] != pair[1]
        ],
    }
