"""The pages of the register: what each role may do, what is saved, what is on record, and what nobody finds."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from asat_site.tenancy.context import in_practice
from asat_site.tenancy.keeper import as_keeper
from asat_site.testing.practices import KnownPractice
from clients import services, services_merge
from clients.models import Assignment, Client, ClientEvent, ClientImport, Contact, Merge, Note, Restriction

FORM = {"name": "Harbour Pilots Pty Ltd", "abn": "51 824 753 556", "tfn": "123 456 782", "allows_remote": "on"}


@pytest.fixture
def known(throwaway: Callable[[], KnownPractice]) -> KnownPractice:
    return throwaway()


def kinds(known: KnownPractice) -> list[str]:
    with in_practice(known.practice), as_keeper():
        return list(ClientEvent.objects.order_by("id").values_list("kind", flat=True))


def made(known: KnownPractice, name: str, **fields: object) -> Client:
    tfn = str(fields.pop("tfn", ""))
    with in_practice(known.practice, known.users["staff"].pk):
        return services.keep(known.users["staff"], Client(name=name, **fields), tfn or None)


def restricted(known: KnownPractice, name: str = "Quiet Holdings Pty Ltd", **fields: object) -> Client:
    """A client that `staff` alone is assigned to."""
    client = made(known, name, **fields)
    with in_practice(known.practice, known.users["owner"].pk):
        services.assign(known.users["owner"], [client], known.users["staff"])
        services.restrict(known.users["owner"], client)
    return client


def test_a_client_is_added_with_what_is_known_and_no_more(known: KnownPractice) -> None:
    response = known.client().post("/clients/add/", FORM)
    with in_practice(known.practice):
        client = Client.objects.get()
        assert response.status_code == 302 and response["Location"] == f"/clients/{client.pk}/"
        assert (client.abn, client.entity_type, client.gst_registered, client.bas_cycle, client.income_year_end) == (
            "51824753556", "", None, "", None
        )  # fmt: skip
        assert client.tfn() == "123456782"
    page = known.client("read_only").get(f"/clients/{client.pk}/").content.decode()
    assert "••• ••• 782" in page and "123" not in page.split("Tax file number")[1][:200]
    assert "Not recorded, taken as 30 June" in page
    assert kinds(known) == ["added", "tfn_changed"]


def test_what_is_wrong_is_said_beside_its_field_and_nothing_is_saved(known: KnownPractice) -> None:
    wrong = {"name": " ", "abn": "51 824 753 557", "acn": "1", "tfn": "123456783", "emails": "no address"}
    response = known.client().post("/clients/add/", wrong)
    assert response.status_code == 422
    form = response.context["form"]
    assert set(form.errors) == {"name", "abn", "acn", "tfn", "emails"}
    assert form.errors["abn"] == [
        "This ABN is wrong: a digit is wrong, missing or too many. Check it against the client’s papers."
    ]
    with in_practice(known.practice):
        assert not Client.objects.exists() and not ClientEvent.objects.exists()


def test_one_that_looks_like_another_is_added_when_it_is_said_to_be_another(known: KnownPractice) -> None:
    made(known, "Harbour Pilots Proprietary Limited")
    browser = known.client()
    assert browser.post("/clients/add/", {"name": "harbour pilots pty ltd"}).status_code == 422
    assert browser.post("/clients/add/", {"name": "harbour pilots pty ltd", "is_another": "1"}).status_code == 302
    with in_practice(known.practice):
        assert Client.objects.count() == 2


@pytest.mark.security
def test_a_tax_file_number_is_shown_to_who_may_write_and_each_time_is_on_record(known: KnownPractice) -> None:
    client = made(known, "Harbour Pilots", tfn="123456782")
    for role, status in (("read_only", 403), ("staff", 200), ("agent", 200)):
        response = known.client(role).post(f"/clients/{client.pk}/tfn/")
        assert response.status_code == status
        assert ("123 456 782" in response.content.decode()) is (status == 200)
    assert known.client().get(f"/clients/{client.pk}/tfn/").status_code == 405
    with in_practice(known.practice):
        seen = ClientEvent.objects.filter(kind="tfn_seen").order_by("id").values_list("by__role", flat=True)
        assert list(seen) == ["staff", "agent"]


@pytest.mark.security
def test_a_reader_sees_and_changes_nothing(known: KnownPractice) -> None:
    client = made(known, "Harbour Pilots")
    reader = known.client("read_only")
    for path in ("/clients/", f"/clients/{client.pk}/", "/clients/duplicates/", "/clients/import/", "/clients/add/"):
        assert reader.get(path).status_code == 200
    acts = ("archive", "restore", "assign", "unassign", "restrict", "open", "note", "forget-contact")
    paths = ["edit/", "contacts/", "tfn/", *(f"do/{verb}/" for verb in acts)]
    for path in ["add/", "bulk/", "export.csv", "merge/", "import/", *(f"{client.pk}/{path}" for path in paths)]:
        assert reader.post(f"/clients/{path}", {"name": "x", "text": "x"}).status_code == 403, path
    assert kinds(known) == ["added"]


def test_the_list_is_searched_filtered_sorted_and_paged(known: KnownPractice) -> None:
    made(known, "Zebra Pty Ltd", trading_names=["Stripes"], entity_type="company", gst_registered=True, tags=["farm"])
    made(known, "Ābel & Sons", abn="51824753556", bas_cycle="monthly", gst_registered=False)
    browser = known.client()

    def names(query: str) -> list[str]:
        return [row.client.name for row in browser.get(f"/clients/{query}").context["rows"]]

    assert names("") == ["Ābel & Sons", "Zebra Pty Ltd"]
    assert names("?sort=-name") == ["Zebra Pty Ltd", "Ābel & Sons"]
    assert names("?q=stripes") == ["Zebra Pty Ltd"]
    assert names("?q=abel+and+sons") == ["Ābel & Sons"]
    assert names("?q=51+824+753") == ["Ābel & Sons"]
    assert names("?q=%25") == names("?q=%00%00x") == []
    assert names("?type=company") == names("?gst=yes") == names("?tag=farm") == ["Zebra Pty Ltd"]
    assert names("?type=unknown") == names("?gst=no") == names("?bas=monthly") == ["Ābel & Sons"]
    assert names("?type=castle&gst=maybe&sort=up&page=x") == ["Ābel & Sons", "Zebra Pty Ltd"]
    assert names("?page=2") == []
    assert names("?mine=1") == names("?archived=1") == names("?restricted=1") == []


def test_what_is_ticked_is_tagged_assigned_and_archived(known: KnownPractice) -> None:
    one, two = made(known, "One"), made(known, "Two")
    browser, agent = known.client(), known.users["agent"]
    ticked = {"client": [str(one.pk), str(two.pk), "nonsense", str(uuid4())], "back": "sort=-name"}
    for act in ({"act": "tag", "tag": "farm"}, {"act": "assign", "who": str(agent.pk)}, {"act": "archive"}):
        response = browser.post("/clients/bulk/", ticked | act)
        assert response["Location"] == "/clients/?sort=-name"
    with in_practice(known.practice):
        for client in Client.objects.all():
            assert client.tags == ["farm"] and client.archived_at is not None
            assert list(client.staff.all()) == [agent]
    assert kinds(known)[2:] == ["changed"] * 2 + ["assigned"] * 2 + ["archived"] * 2
    browser.post(f"/clients/{one.pk}/do/restore/")
    with in_practice(known.practice):
        assert list(Client.objects.filter(archived_at=None)) == [one]


@pytest.mark.security
def test_no_address_search_export_or_merge_finds_a_restricted_client(known: KnownPractice) -> None:
    client, other = restricted(known, abn="51824753556", tags=["secret"]), made(known, "Quiet Holdings")
    with in_practice(known.practice, known.users["staff"].pk):
        Contact.objects.create(client=client, name="Q")
    for role in ("agent", "owner", "read_only"):
        browser = known.client(role)
        for path in ("", "edit/"):
            assert browser.get(f"/clients/{client.pk}/{path}").status_code == 404
        assert browser.get(f"/clients/merge/?keep={other.pk}&gone={client.pk}").status_code == 404
        for query in ("", "?q=quiet", "?q=51824753556", "?restricted=1", "?tag=secret", "?archived=1"):
            rows = browser.get(f"/clients/{query}").context["rows"]
            assert client.pk not in [row.client.pk for row in rows], query
        assert "secret" not in browser.get("/clients/").content.decode()
        assert browser.get("/clients/duplicates/").context["groups"] == []
    browser = known.client("agent")
    for path in ("edit/", "tfn/", "contacts/", "do/archive/", "do/note/", "do/assign/", "do/open/"):
        assert browser.post(f"/clients/{client.pk}/{path}", {"name": "x", "text": "x"}).status_code == 404
    assert browser.post("/clients/merge/", {"keep": str(other.pk), "gone": str(client.pk)}).status_code == 404
    browser.post("/clients/bulk/", {"client": [str(client.pk)], "act": "archive"})
    exported = b"".join(browser.post("/clients/export.csv")).decode()
    assert "51 824" not in exported and exported.count("Quiet") == 1
    assert browser.get("/clients/restricted/").status_code == browser.get("/clients/events/").status_code == 404
    with in_practice(known.practice, known.users["staff"].pk):
        assert Client.objects.get(pk=client.pk).archived_at is None
        assert set(client.events.values_list("by__role", flat=True)) == {"staff", "owner"}
    assert client.pk in [row.client.pk for row in known.client("staff").get("/clients/").context["rows"]]


@pytest.mark.security
def test_adding_or_importing_the_same_client_tells_nobody_that_it_is_there(known: KnownPractice) -> None:
    restricted(known, abn="51824753556")
    assert (
        known.client("agent").post("/clients/add/", {"name": "Quiet Holdings", "abn": "51824753556"}).status_code == 302
    )


@pytest.mark.security
def test_an_owner_sees_that_it_exists_and_lets_themselves_in_on_record(known: KnownPractice) -> None:
    client = restricted(known)
    owner = known.client("owner")
    page = owner.get("/clients/restricted/").content.decode()
    assert "Quiet" not in page and known.users["staff"].email in page
    assert owner.get(f"/clients/{client.pk}/").status_code == 404
    assert known.client("staff").post("/clients/restricted/", {"client": str(client.pk)}).status_code == 404
    assert owner.post("/clients/restricted/", {"client": str(client.pk)})["Location"] == f"/clients/{client.pk}/"
    assert owner.get(f"/clients/{client.pk}/").status_code == 200
    assert kinds(known)[-1] == "assigned_self"
    assert owner.post("/clients/restricted/", {"client": str(uuid4())})["Location"] == "/clients/restricted/"


@pytest.mark.security
def test_only_an_owner_restricts_and_somebody_must_be_left(known: KnownPractice) -> None:
    client = made(known, "Quiet")
    agent, owner = known.client("agent"), known.client("owner")
    owner.post(f"/clients/{client.pk}/do/restrict/")  # nobody is assigned
    owner.post(f"/clients/{client.pk}/do/assign/", {"who": str(known.users["agent"].pk)})
    agent.post(f"/clients/{client.pk}/do/restrict/")
    with in_practice(known.practice):
        assert not Restriction.objects.exists()
    assert owner.post(f"/clients/{client.pk}/do/restrict/")["Location"] == "/clients/"
    agent.post(f"/clients/{client.pk}/do/unassign/", {"who": str(known.users["agent"].pk)})
    agent.post(f"/clients/{client.pk}/do/open/")
    with in_practice(known.practice):
        assert Restriction.objects.count() == Assignment.objects.count() == 1


def test_an_export_is_guarded_on_record_and_without_tax_file_numbers(known: KnownPractice) -> None:
    made(known, "=HYPERLINK(1)", tfn="123456782", tags=["@x"], phones=["+61 2"])
    response = known.client().post("/clients/export.csv", {"back": "q=hyperlink"})
    text = b"".join(response).decode("utf-8-sig")
    (row,) = csv.DictReader(io.StringIO(text))
    assert (row["Name"], row["Tags"], row["Phones"]) == ("'=HYPERLINK(1)", "'@x", "'+61 2")
    assert "782" not in text and "TFN" not in text
    with in_practice(known.practice):
        assert list(ClientEvent.objects.filter(kind="exported").values_list("count", "client")) == [(1, None)]


def test_two_clients_are_merged_and_taken_apart_exactly(known: KnownPractice) -> None:
    kept = made(known, "Pilots Pty Ltd", phones=["1"])
    gone = made(known, "Pilots Limited", abn="51824753556", phones=["1", "2"], tfn="123456782", gst_registered=True)
    staff, agent = known.users["staff"], known.users["agent"]
    with in_practice(known.practice, staff.pk):
        Contact.objects.create(client=gone, name="Ada")
        Note.objects.create(client=gone, text="n", by=staff)
        question = gone.questions.create(asked_by=staff, text="q")
        services.assign(staff, [gone], agent)
        before = {c.pk: Client.objects.filter(pk=c.pk).values().get() for c in (kept, gone)}
        done = services_merge.merge(staff, kept, gone)
        kept.refresh_from_db()
        gone.refresh_from_db()
        assert (kept.abn, kept.gst_registered, kept.phones, kept.tfn()) == (
            "51824753556",
            True,
            ["1", "2"],
            "123456782",
        )
        assert kept.trading_names == ["Pilots Limited"] and gone.merged_into == kept and gone.archived_at is not None
        assert [kept.contacts.count(), kept.notes.count(), kept.questions.count()] == [1, 1, 1]
        assert [gone.contacts.count(), gone.notes.count(), gone.questions.count()] == [0, 0, 0]
        assert list(kept.staff.all()) == [agent]
        with pytest.raises(services.NotDone):
            services.restore(staff, gone)
        later = Contact.objects.create(client=kept, name="Later")
        services_merge.unmerge(staff, done)
        assert {c.pk: Client.objects.filter(pk=c.pk).values().get() for c in (kept, gone)} == before
        assert list(kept.contacts.all()) == [later] and gone.contacts.get().name == "Ada"
        question.refresh_from_db()
        assert question.client_id == gone.pk and gone.notes.count() == 1 and not kept.staff.exists()
        assert Merge.objects.get().undone_by == staff
        with pytest.raises(services.NotDone, match="undone already"):
            services_merge.unmerge(staff, done)
    assert kinds(known)[-4:] == ["merged", "merged", "unmerged", "unmerged"]


def test_what_was_typed_since_a_merge_is_not_thrown_away_by_undoing_it(known: KnownPractice) -> None:
    kept, gone = made(known, "Pilots"), made(known, "Pilots", abn="51824753556")
    staff = known.users["staff"]
    with in_practice(known.practice, staff.pk):
        done = services_merge.merge(staff, kept, gone)
        kept.refresh_from_db()
        kept.abn = ""
        services.keep(staff, kept)
        with pytest.raises(services.NotDone, match="since the merge: abn"):
            services_merge.unmerge(staff, done)
        assert Merge.objects.get().undone_at is None


@pytest.mark.security
def test_a_merge_opens_nothing_that_is_restricted(known: KnownPractice) -> None:
    hidden, other = restricted(known), made(known, "Quiet")
    with in_practice(known.practice, known.users["staff"].pk):
        for user in ("staff", "owner"):
            with pytest.raises(services.NotDone, match="restricted"):
                services_merge.merge(known.users[user], other, hidden)
        assert not Merge.objects.exists() and Client.objects.get(pk=hidden.pk).merged_into is None


@pytest.mark.parametrize(
    ("theirs", "why"), [({"abn": "53004085616"}, "two ABNs"), ({"tfn": "876543210"}, "two tax file")]
)
def test_two_that_differ_in_a_number_are_two(known: KnownPractice, theirs: dict[str, str], why: str) -> None:
    kept, gone = made(known, "A", abn="51824753556", tfn="123456782"), made(known, "B", **theirs)
    with in_practice(known.practice, known.users["staff"].pk), pytest.raises(services.NotDone, match=why):
        services_merge.merge(known.users["staff"], kept, gone)


CSV = """Client name;ABN;Entity;GST;Year end;TFN;Colour
Harbour Pilots;51 824 753 556;Company;yes;30 September;123 456 782;red
Bad Digits;51 824 753 557;;;;;
;;;;;;
Pilots Pty Ltd;;castle;perhaps;31 February;;
=Sum Pty Ltd;;;;;;
HARBOUR PILOTS PTY LTD;;;;;;
Known Limited;;;;;;
"""


def test_a_file_is_looked_through_then_brought_in_and_forgotten(known: KnownPractice) -> None:
    made(known, "Known Pty Ltd")
    browser = known.client()
    sent = browser.post("/clients/import/", {"file": SimpleUploadedFile("my.csv", CSV.encode())})
    page = sent["Location"]
    with in_practice(known.practice, known.users["staff"].pk):
        assert Client.objects.count() == 1
        row = ClientImport.objects.get()
        assert "Harbour" not in row.sealed_file
        report = row.report
    assert (report["rows"], report["new"], report["wrong_count"], report["skipped_count"]) == (6, 2, 2, 2)
    assert report["columns"]["Colour"] == "" and report["columns"]["Entity"] == "Entity type"
    assert [each["line"] for each in report["wrong"]] == [3, 5]
    assert [each["why"] for each in report["skipped"]] == [
        "A client with this name is in line 2 of this file.",
        "A client with this name is in the register.",
    ]
    assert "123" not in str(report)
    for role in ("agent", "owner"):
        assert known.client(role).get(page).status_code == 404
    assert browser.get(page).status_code == 200
    for _ in range(2):  # also clicked twice
        browser.post(f"{page}confirm/")
    with in_practice(known.practice, known.users["staff"].pk):
        client = Client.objects.get(name="Harbour Pilots")
        assert (client.entity_type, client.gst_registered, client.income_year_end) == ("company", True, 9)
        assert client.tfn() == "123456782" and client.match_key == "harbour pilots"
        assert Client.objects.count() == 3
        row.refresh_from_db()
        assert (row.status, row.sealed_file) == ("done", "")
        assert list(ClientEvent.objects.filter(client=None).values_list("kind", "count")) == [("imported", 2)]
    assert [r.client.name for r in browser.get("/clients/?q=sum").context["rows"]] == ["=Sum Pty Ltd"]


def test_a_long_file_goes_to_a_worker_as_whoever_sent_it(known: KnownPractice, monkeypatch: pytest.MonkeyPatch) -> None:
    from clients import tasks

    sent: list[tuple[str, ...]] = []
    monkeypatch.setattr(tasks.run_import, "apply_async", lambda args, **_: sent.append(args))
    restricted(known, "Client 7 Pty Ltd")
    text = "Name\n" + "".join(f"Client {n} Pty Ltd\n" for n in range(1000))
    page = known.client().post("/clients/import/", {"file": SimpleUploadedFile("long.csv", text.encode())})["Location"]
    assert "looked through" in known.client().get(page).content.decode()
    tasks.run_import(*sent.pop())
    known.client().post(f"{page}confirm/")
    tasks.run_import(*sent.pop())
    with in_practice(known.practice, known.users["staff"].pk):
        assert ClientImport.objects.get().report["new"] == 999
        assert Client.objects.count() == 1000
    with in_practice(known.practice, known.users["agent"].pk):
        assert Client.objects.count() == 999


@pytest.mark.parametrize(
    ("content", "said"),
    [(b"", "empty"), (b"PK\x03\x04", "workbook"), (b"Colour\nred\n", "headed Name"), (b"Name\nx\x00y\n", "not text")],
)
def test_what_is_no_file_of_clients_is_refused_in_words(known: KnownPractice, content: bytes, said: str) -> None:
    response = known.client().post("/clients/import/", {"file": SimpleUploadedFile("my.csv", content)})
    assert response.status_code == (422 if content else response.status_code)
    assert said in response.content.decode() or "No file" in response.content.decode()
    with in_practice(known.practice, known.users["staff"].pk):
        assert not ClientImport.objects.exists()


@pytest.mark.security
def test_another_practice_finds_none_of_it(known: KnownPractice, other_practice: KnownPractice) -> None:
    client = made(known, "Harbour Pilots")
    browser = other_practice.client("owner")
    for path in ("", "edit/"):
        assert browser.get(f"/clients/{client.pk}/{path}").status_code == 404
    assert browser.post(f"/clients/{client.pk}/do/archive/").status_code == 404
    assert "Harbour Pilots" not in browser.get("/clients/?q=harbour").content.decode()


def test_a_file_whose_key_is_gone_or_that_another_follows_is_given_up(known: KnownPractice, settings: Any) -> None:
    browser = known.client()
    pages = [
        browser.post("/clients/import/", {"file": SimpleUploadedFile("my.csv", b"Name\nOne\n")})["Location"]
        for _ in range(2)
    ]
    assert "given up" in browser.get(pages[0]).content.decode()
    settings.ENCRYPTION_KEYS = (("another", bytes(32)),)
    browser.post(f"{pages[1]}confirm/")
    assert "given up" in browser.get(pages[1]).content.decode()
    with in_practice(known.practice, known.users["staff"].pk):
        assert not Client.objects.exists()
        assert set(ClientImport.objects.values_list("sealed_file", flat=True)) == {""}
