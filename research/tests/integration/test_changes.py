"""What became known of the law since an answer was recorded: told when it bears on the words, and only then.

Everything but the walls happens in one transaction of the owner that is rolled back: law cannot be unlearnt.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, DatabaseError, connection, connections, transaction
from django.utils import timezone

from asat_site.tenancy.context import in_practice
from asat_site.testing.practices import KnownPractice
from research import changes, composition, services
from research.adapters.embedders.wordpiece import count_tokens
from research.changes import Kind, Touched
from research.corpus.ingest.store import OWNER, Loader
from research.corpus.models import VersionDates
from research.corpus.tests.records import record, write
from research.law.income_year import IncomeYear
from research.models import Answer, CitedWording, Question
from research.ports import Asked
from research.terms import (
    Citation,
    ClaimKind,
    Dating,
    Decision,
    Outcome,
    Reason,
    ResolvedTime,
    Role,
    ShownClaim,
    Snapshot,
    Window,
)

OLD, NEW, THIRD = "(1) A keeper may ring the bell.", "(1) A keeper must ring the bell.", "(1) Nobody may ring the bell."
FULLER = OLD + "  "  # the same wording: white space does not count
OTHER = "(1) A keeper may oil the bell."
FY2011 = Window.of_year(IncomeYear(2011))
FY2013 = Window.of_year(IncomeYear(2013))


@pytest.fixture
def rolled_back(practice: KnownPractice) -> Iterator[KnownPractice]:
    """A practice to which all that is loaded and recorded in this test never happened."""
    before = connections[DEFAULT_DB_ALIAS]
    changes.forget()  # imports of two tests may bear the same moment
    with transaction.atomic(using=OWNER):
        connections[DEFAULT_DB_ALIAS] = connections[OWNER]
        try:
            with in_practice(practice.practice, using=OWNER):
                yield practice
        finally:
            connections[DEFAULT_DB_ALIAS] = before
            transaction.set_rollback(True, using=OWNER)


@dataclass
class Law:
    """An invented Act that is loaded compilation by compilation, each import a moment after the last."""

    folder: Path
    now: datetime

    def load(self, day: str, text: str | None, **more: Any) -> None:
        """Section 1-1 reads `text` in the compilation of `day`, or is not in it. Section 1-9 is always there."""
        self.now += timedelta(milliseconds=1)
        rows = [record("1-9", "(1) A bell hangs.", dated=day)]
        if text is not None:
            rows.append(record("1-1", text, dated=day, **more))
        path = write(self.folder / f"{day}-{uuid4().hex[:6]}.jsonl", *rows)
        Loader(count_tokens, date(2026, 1, 1), clock=lambda: self.now).import_file(path)


@pytest.fixture
def bells(rolled_back: KnownPractice, tmp_path: Path) -> Law:
    newest = max((moment for (moment,) in _imports()), default=datetime(2026, 1, 1, tzinfo=UTC))
    return Law(tmp_path, newest)


def outcome(*cited: VersionDates, window: Window = FY2011, decision: Decision = Decision.ANSWER) -> Outcome:
    """An outcome that quotes these versions, asked about `window`."""
    claims = tuple(
        ShownClaim("A rule.", ClaimKind.RULE, (_citation(row, 0), _citation(row, 4)))  # two quotes of one wording
        for row in cited
    )
    return Outcome(
        question="May a keeper ring?", decision=decision, reason=Reason.VERIFIED, message="",
        time=ResolvedTime(window, IncomeYear(2011), "field"), claims=claims, reading_list=(),
        snapshot=Snapshot("", "lexical", "none", 0, known_at=max(moment for (moment,) in _imports())),
        provider="extractive", model="", reranker="",
    )  # fmt: skip


def _citation(row: VersionDates, start: int) -> Citation:
    return Citation(
        chunk_id=1, version_id=row.version_id, act="BELL01", act_title="", section="1-1", schedule="", heading="",
        quote="ring", start_chars=start, end_chars=start + 4, compilation_date=date(2010, 7, 1), register_id="",
        in_force_from=row.certain.lower, in_force_to=row.certain.upper, dating=Dating.REGISTER, role=Role.OPERATIVE,
    )  # fmt: skip


def append(told: Outcome) -> Answer:
    """`told`, recorded as the answer to a new question."""
    question = Question.objects.create(text="May a keeper ring?", year_field=None)
    composition.audit_store().append(Asked(str(question.pk), question.text, None, date(2026, 1, 1), ""), told)
    return Answer.objects.select_related("audit").get(question=question)


def known(text: str, section: str = "1-1") -> VersionDates:
    """What is known now of the wording that reads `text`."""
    rows = VersionDates.objects.filter(version__words__text=text.strip(), provision__section=section)
    return rows.filter(provision__instrument="BELL01").extra(where=["upper_inf(recorded)"]).get()


def told() -> list[tuple[Kind, int, date | None, date | None]]:
    found, total = changes.law_changes()
    assert total == len(found)
    return [(change.kind, change.answers, change.changed_from, change.changed_to) for change in found]


Y10, Y12, Y14, Y16 = "2010-07-01", "2012-07-01", "2014-07-01", "2016-07-01"
D10, D12, D14, D16 = map(date.fromisoformat, (Y10, Y12, Y14, Y16))
DAY = timedelta(days=1)

CASES: list[tuple[str, list[tuple[str, str | None]], list[tuple[str, str | None]], Window, list[Any]]] = [
    ("nothing new", [(Y10, OLD), (Y12, OLD)], [], FY2011, []),
    ("the same words again", [(Y10, OLD), (Y12, OLD)], [(Y14, OLD)], FY2011, []),
    ("the same words, fuller", [(Y10, OLD), (Y12, OLD)], [(Y14, FULLER)], FY2011, []),
    (
        "another wording follows",
        [(Y10, OLD), (Y12, OLD)],
        [(Y14, NEW)],
        FY2011,
        [(Kind.SUPERSEDED, 1, D12 + DAY, D14)],
    ),
    ("it followed already", [(Y10, OLD), (Y12, OLD), (Y14, NEW)], [(Y16, THIRD)], FY2011, []),
    ("it followed already and was read again", [(Y10, OLD), (Y12, OLD), (Y14, NEW)], [(Y16, NEW)], FY2011, []),
    (
        "one lies before that which followed",
        [(Y10, OLD), (Y12, OLD), (Y16, THIRD)],
        [(Y14, NEW)],
        FY2011,
        [(Kind.SUPERSEDED, 1, D12 + DAY, D14)],
    ),
    ("what followed did so earlier", [(Y10, OLD), (Y12, OLD), (Y16, NEW)], [(Y14, NEW)], FY2011, []),
    ("what followed reads otherwise", [(Y10, OLD), (Y12, OLD), (Y14, NEW)], [(Y14, THIRD)], FY2011, []),
    ("one lies after that which followed", [(Y10, OLD), (Y12, OLD), (Y14, NEW)], [(Y16, OLD)], FY2011, []),
    (
        "an earlier wording comes to be known",
        [(Y12, OLD), (Y14, OLD)],
        [(Y10, NEW)],
        FY2013,
        [],
    ),
    ("the section is gone", [(Y10, OLD), (Y12, OLD)], [(Y14, None)], FY2011, [(Kind.CEASED, 1, D12 + DAY, D14)]),
    (
        "the section was gone already, and is known to have stayed for longer",
        [(Y10, OLD), (Y12, OLD), (Y16, None)],
        [(Y14, OLD)],
        FY2011,
        [],
    ),
    ("the section was gone already", [(Y10, OLD), (Y12, OLD), (Y14, None)], [(Y16, None)], FY2011, []),
    (
        "the compilation asked about is corrected",
        [(Y10, OLD), (Y12, OLD)],
        [(Y10, NEW), (Y12, NEW)],
        FY2011,
        [(Kind.OTHER_WORDS, 1, None, None)],
    ),
    (
        "the days between turn out to be unknown",
        [(Y10, OLD), (Y12, OLD)],
        [(Y10, NEW)],
        Window(date(2011, 1, 1), date(2011, 1, 1)),
        [(Kind.UNCERTAIN, 1, None, None)],
    ),
    (
        "two wordings were the law in the year",
        [("2010-08-01", OLD)],
        [("2011-06-01", NEW)],
        FY2011,
        [(Kind.OTHER_TOO, 1, None, None)],
    ),
    (
        "two wordings were known to be the law in the year",
        [("2010-08-01", OLD), ("2011-06-01", NEW)],
        [(Y14, NEW)],
        FY2011,
        [],
    ),
    ("corrected and put right again", [(Y10, OLD), (Y12, OLD)], [(Y10, NEW), (Y10, OLD)], FY2011, []),
]  # fmt: skip


@pytest.mark.parametrize(("before", "after", "window", "wanted"), [c[1:] for c in CASES], ids=[c[0] for c in CASES])
def test_a_change_is_told_when_it_bears_on_the_words(
    bells: Law,
    before: list[tuple[str, str | None]],
    after: list[tuple[str, str | None]],
    window: Window,
    wanted: list[Any],
) -> None:
    for day, text in before:
        bells.load(day, text)
    append(outcome(known(OLD), window=window))
    assert told() == []
    for day, text in after:
        bells.load(day, text)
    assert told() == wanted


def test_what_was_uncertain_and_is_certain_is_told(bells: Law) -> None:
    bells.load(Y10, OLD)
    bells.load(Y14, OLD)
    cited = known(OLD)
    bells.load(Y12, NEW)
    append(outcome(cited, window=Window(date(2011, 1, 1), date(2011, 1, 1))))  # from before: days in a gap
    assert told() == []
    bells.load(Y12, OLD)
    assert told() == [(Kind.CERTAIN, 1, None, None)]


def test_a_source_that_does_not_carry_the_words_tells_of_no_change(bells: Law) -> None:
    bells.load(Y10, OLD)
    append(outcome(known(OLD)))
    bells.load(Y12, "[Content not carried by the source: table.]", kind="table-of-sections-omitted")
    placeholders = VersionDates.objects.filter(version__words__wording_sha256__startswith="omitted-")
    assert placeholders.filter(provision__instrument="BELL01").count() == 1
    assert told() == []


def test_an_import_that_had_begun_before_the_answer_is_news_to_it(bells: Law) -> None:
    """Nor is it by the time an import takes: it is by what had been committed when the question was asked."""
    bells.load(Y10, OLD)
    append(outcome(known(OLD)))
    assert CitedWording.objects.get().known_at == bells.now < timezone.now()
    bells.load(Y14, NEW)  # states a moment before the answer was recorded
    assert [change[0] for change in told()] == [Kind.SUPERSEDED]


def test_answers_are_counted_once_and_grouped_by_provision_and_day(bells: Law) -> None:
    bells.load(Y10, OLD)
    first = append(outcome(known(OLD)))
    second = append(outcome(known(OLD), window=Window(date(2010, 9, 1), date(2010, 9, 1))))
    append(outcome(known("(1) A bell hangs.", "1-9")))
    bells.load("2010-10-01", NEW)
    bells.load(Y12, NEW)
    found, total = changes.law_changes()
    assert total == 2  # one year holds both wordings now; after the one day there is another
    assert {change.kind: change.answer_ids for change in found} == {
        Kind.OTHER_TOO: (first.pk,),
        Kind.SUPERSEDED: (second.pk,),
    }
    assert {change.pin for change in found} == {"1-1"}
    for change in found:
        assert (change.cited_version, change.now_version) == (known(OLD).version_id, known(NEW).version_id)
    assert changes.touched_now() == Touched(2, 1, None)


def test_one_day_of_change_is_named_when_all_share_it(bells: Law) -> None:
    bells.load(Y10, OLD)
    for _ in range(3):
        append(outcome(known(OLD)))
    assert changes.touched_now() == Touched(0)
    bells.load("2011-06-30", OLD)
    bells.load("2011-07-01", NEW)
    assert changes.touched_now() == Touched(3, 3, date(2011, 7, 1))
    (change,), _ = changes.law_changes(most=2)
    assert (change.answers, len(change.answer_ids)) == (3, 2)
    assert change.known_since == bells.now


def test_each_practice_is_told_of_its_own_answers_alone(bells: Law, other_practice: KnownPractice) -> None:
    bells.load(Y10, OLD)
    ours = [append(outcome(known(OLD))) for _ in range(3)]
    with in_practice(other_practice.practice, using=OWNER):
        theirs = append(outcome(known(OLD)))
        append(outcome(known("(1) A bell hangs.", "1-9")))
    bells.load(Y12, NEW)
    counts = {practice.name: told.answers for practice, told in changes.summary_by_practice()}
    assert (counts["Ashby Tax"], counts["Other Accountants"]) == (3, 1)
    (change,), _ = changes.law_changes()
    assert set(change.answer_ids) == {answer.pk for answer in ours}
    with in_practice(other_practice.practice, using=OWNER):
        (change,), _ = changes.law_changes()
        assert change.answer_ids == (theirs.pk,)


def test_outside_a_practice_nobody_is_told_of_anything(bells: Law) -> None:
    bells.load(Y10, OLD)
    append(outcome(known(OLD)))
    bells.load(Y12, NEW)
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('asat.practice_id', '', false)")
        try:
            assert changes.law_changes() == ([], 0)
        finally:
            cursor.execute(
                "SELECT set_config('asat.practice_id', asat_was, false) FROM (SELECT %s) was (asat_was)",
                [str(connections[OWNER].practice_id)],
            )


def test_a_refusal_rests_on_no_words(bells: Law) -> None:
    bells.load(Y10, OLD)
    append(outcome(known(OLD), decision=Decision.THIN_EVIDENCE))
    assert CitedWording.objects.count() == 0


def test_both_sides_of_a_comparison_are_kept_with_their_own_days(bells: Law) -> None:
    bells.load(Y10, OLD)
    bells.load(Y12, NEW)
    sides = (outcome(known(OLD)), outcome(known(NEW), window=FY2013))
    answer = append(Outcome(**{**_fields(outcome()), "time": None, "sides": sides}))
    kept = CitedWording.objects.filter(answer=answer).order_by("asked_first")
    assert [(row.version_id, row.asked_first, row.asked_last) for row in kept] == [
        (known(OLD).version_id, FY2011.first, FY2011.last),
        (known(NEW).version_id, FY2013.first, FY2013.last),
    ]
    assert [(row.certain_from, row.certain_to) for row in kept] == [(D10, D10 + DAY), (D12, D12 + DAY)]


def _fields(told: Outcome) -> dict[str, Any]:
    return {name: getattr(told, name) for name in told.__slots__}


def test_the_wordings_of_earlier_answers_are_filled_in_as_they_would_have_been_written(bells: Law) -> None:
    from importlib import import_module

    bells.load(Y10, OLD)
    bells.load(Y12, NEW)
    append(outcome(known(OLD), known("(1) A bell hangs.", "1-9")))
    append(
        Outcome(
            **{**_fields(outcome()), "time": None, "sides": (outcome(known(OLD)), outcome(known(NEW), window=FY2013))}
        )
    )
    append(outcome(known(OLD), decision=Decision.THIN_EVIDENCE))
    columns = (
        "answer",
        "provision_id",
        "version_id",
        "certain_from",
        "certain_to",
        "asked_first",
        "asked_last",
        "known_at",
    )
    written = set(CitedWording.objects.values_list(*columns))
    assert len(written) == 4
    CitedWording.objects.all().delete()
    migration = import_module("research.migrations.0006_wordings_of_earlier_answers")
    with connection.cursor() as cursor:
        cursor.execute(migration.FORWARD)
    assert set(CitedWording.objects.values_list(*columns)) == written


def test_from_a_question_through_a_newer_compilation_to_the_list(law: str, bells: Law) -> None:
    question = services.ask(user=None, text="Can a harbour pilot deduct travel between ports?", year=2020)
    claimed = services.claim(question.pk, timezone.now())
    assert claimed is not None
    cited = {c.pin for claim in services.run(claimed).claims for c in claim.citations}
    answer = Answer.objects.get(question=question)
    assert answer.decision == Decision.ANSWER and cited
    assert {row.known_at for row in answer.wordings.all()} <= {r for (r,) in _imports()}
    assert told() == []
    lines = (settings.BASE_DIR / "research/corpus/fictional/hdfa99-2022-07-01.jsonl").read_text().splitlines()
    newer = [json.loads(line) for line in lines]
    for row in newer:
        row["metadata"]["compilationDate"] = row["corpusVersion"] = "2024-07-01"
        row["metadata"]["registerId"], row["frameworkVersion"] = "FICTIONAL-9", "Fictional compilation No. 9"
        row["metadata"]["compilationNumber"] = 9
        if row["documentId"].partition("/")[2] in cited:
            row["text"] += "\n(99) A pilot must keep a log of each journey."
    Loader(count_tokens, date(2026, 1, 1)).import_file(write(bells.folder / "newer.jsonl", *newer))
    found, _ = changes.law_changes()
    assert {change.pin for change in found} == cited
    assert {change.kind for change in found} == {Kind.SUPERSEDED}
    assert {change.changed_to for change in found} == {date(2024, 7, 1)}
    assert {ids for change in found for ids in change.answer_ids} == {answer.pk}


def _imports() -> list[tuple[datetime]]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT lower(recorded) FROM corpus_indexstate")
        return list(cursor.fetchall())


# The walls: really committed, as the app role.


@pytest.mark.security
def test_no_practice_sees_what_another_cited(
    throwaway: Callable[[], KnownPractice], other_practice: KnownPractice, law: str
) -> None:
    ours = throwaway()
    with in_practice(ours.practice):
        cited = VersionDates.objects.filter(provision__instrument=law).extra(where=["upper_inf(recorded)"])[0]
        append(outcome(cited))
        assert CitedWording.objects.count() == 1
        table = f"{ours.practice.schema_name}.research_citedwording"
    with in_practice(other_practice.practice), connection.cursor() as cursor:
        cursor.execute(f"SELECT count(*) FROM {table}")
        assert cursor.fetchone() == (0,)
        with pytest.raises(DatabaseError, match="row-level security"):
            cursor.execute(
                f"INSERT INTO {table} (practice_id, answer_id, provision_id, version_id, certain_from, asked_first,"
                " asked_last, known_at) VALUES (%s, 1, 1, 1, now(), now(), now(), now())",
                [ours.id],
            )
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT count(*) FROM {table}")
        assert cursor.fetchone() == (0,)


@pytest.mark.security
@pytest.mark.parametrize(
    "attack",
    ["UPDATE {0} SET known_at = now()", "DELETE FROM {0}", "TRUNCATE {0}"],
)
def test_what_was_cited_stays_cited(throwaway: Callable[[], KnownPractice], law: str, attack: str) -> None:
    ours = throwaway()
    with in_practice(ours.practice):
        append(outcome(VersionDates.objects.filter(provision__instrument=law)[0]))
        before = CitedWording.objects.values_list().get()
        with pytest.raises(DatabaseError, match="permission denied"), connection.cursor() as cursor:
            cursor.execute(attack.format("research_citedwording"))
        assert CitedWording.objects.values_list().get() == before


# The pages.


@pytest.fixture
def browser(bells: Law, practice: KnownPractice) -> Any:
    """A signed-in browser whose requests happen inside the transaction."""
    return practice.client("read_only")


def test_the_page_says_so_when_no_words_have_changed(bells: Law, browser: Any) -> None:
    bells.load(Y10, OLD)
    append(outcome(known(OLD)))
    page = browser.get("/law-changes/")
    assert page.status_code == 200
    assert "No answer of this practice rests on words that have changed." in page.content.decode()


def test_the_page_tells_what_changed_and_leads_to_both_wordings_the_audit_row_and_the_replay(
    bells: Law, browser: Any
) -> None:
    bells.load(Y10, OLD)
    answers = [append(outcome(known(OLD))) for _ in range(changes.FEW + 1)]
    bells.load(Y12, NEW)
    text = browser.get("/law-changes/").content.decode()
    assert "6 of your answers rest on words that have changed." in text
    assert "The words changed between 2 July 2010 and 1 July 2012, after the days asked about." in text
    assert "wrong" not in text
    old, new = known(OLD).version_id, known(NEW).version_id
    link = f"/law/BELL01/1-1?as_at=2012-07-01&amp;version={new}&amp;compare={old}"
    assert link in text
    compared = browser.get(link.replace("&amp;", "&")).content.decode()
    assert "<ins>must</ins>" in compared and "<del>may</del>" in compared
    assert text.count("#replay-title") == changes.FEW
    assert f"/audit/{answers[-1].audit.number}/" in text
    assert f"/audit/{answers[0].audit.number}/" not in text  # the sixth is on the page of its wording
    whole = browser.get(f"/law-changes/{old}/").content.decode()
    assert all(f"/audit/{answer.audit.number}/" in whole for answer in answers)


def test_words_that_were_never_law_are_compared_with_what_was(bells: Law, browser: Any) -> None:
    bells.load(Y10, OLD)
    old = known(OLD).version_id
    append(outcome(known(OLD)))
    bells.load(Y10, NEW)
    text = browser.get("/law-changes/").content.decode()
    assert "1 of your answers rests on words of which more is known now." in text
    assert "Other words than those quoted are now known to have been the law on the days asked about." in text
    link = f"/law/BELL01/1-1?as_at=2010-07-01&amp;version={old}&amp;compare={known(NEW).version_id}"
    assert link in text
    compared = browser.get(link.replace("&amp;", "&")).content.decode()
    assert "<del>must</del>" in compared and "<ins>may</ins>" in compared


def test_words_that_ceased_lead_to_themselves(bells: Law, browser: Any) -> None:
    bells.load(Y10, OLD)
    append(outcome(known(OLD)))
    bells.load(Y12, None)
    text = browser.get("/law-changes/").content.decode()
    assert "The words ceased to be law between 2 July 2010 and 1 July 2012, and none took their place." in text
    link = f"/law/BELL01/1-1?as_at=2011-06-30&amp;version={known(OLD).version_id}"
    assert link + '"' in text
    assert OLD.partition(" ")[2] in browser.get(link.replace("&amp;", "&")).content.decode()


@pytest.mark.parametrize(
    "address",
    ["/law-changes/1/", f"/law-changes/{2**63}/", f"/law-changes/{2**70}/", "/law-changes/?page=9", "/law-changes/-1/"],
)
def test_what_is_not_there_is_not_found(browser: Any, address: str) -> None:
    assert browser.get(address).status_code == 404


@pytest.mark.parametrize("page", ["0", "-1", "x", "1e3", "", "9" * 40])
def test_a_page_that_is_no_number_is_the_first(browser: Any, page: str) -> None:
    assert browser.get("/law-changes/", {"page": page}).status_code == 200


def test_pages_are_for_those_who_are_signed_in(practice: KnownPractice) -> None:
    assert practice.client(None).get("/law-changes/").status_code == 302
