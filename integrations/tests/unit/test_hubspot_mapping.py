"""HubSpot's JSON to our values: tokens, properties, companies, ABNs, names; each refusal with its reason."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clients.rules.identifiers import read_abn as plain_abn
from integrations.hubspot import mapping
from integrations.hubspot.mapping import AbnNote, NameNote, NotAsDocumented, TokenNotOne

KEY = "pat-na1-0a1b2c3d-1111-2222-3333-444455556666"


@pytest.mark.parametrize(
    "pasted",
    [KEY, f"  {KEY}\n", f'"{KEY}"', f"“{KEY}”", f"Bearer {KEY}", f"bearer  {KEY}", f"Authorization: Bearer {KEY}",
     f"'Bearer {KEY}'"],
)  # fmt: skip
def test_a_key_is_found_in_what_was_pasted(pasted: str) -> None:
    assert mapping.clean_token(pasted) == KEY


@pytest.mark.parametrize(
    ("pasted", "said"),
    [
        ("", "Paste the key"),
        ("  ", "Paste the key"),
        ("0a1b2c3d-1111-2222-3333-444455556666", "old API key"),
        ("CJSP5qf1KhICAQEYs-gDIIGOBii1hQIyGQAf3xBKmlwHjX7OIpuIFEavB2-qYAGQsF4", "another kind of key"),
        ("CiRhY2Nlc3Mta2V5", "another kind of key"),
        ("pat-na1-half a-key", "a blank"),
        ("pat-na1-ünlikely", "a blank"),
        ("pat-x", "a blank"),
        ("pat-na1-" + "0" * 600, "a blank"),
    ],
)
def test_what_is_no_key_is_refused_with_a_hint_that_does_not_repeat_it(pasted: str, said: str) -> None:
    with pytest.raises(TokenNotOne) as refused:
        mapping.clean_token(pasted)
    assert said in refused.value.message
    assert not pasted.strip() or pasted.strip() not in refused.value.message


def _property(name: str, label: str, type: str = "string", **more: Any) -> dict[str, Any]:
    return {"name": name, "label": label, "type": type, "fieldType": "text", **more}


@pytest.mark.parametrize(
    ("properties", "found"),
    [
        ([], []),
        ([_property("name", "Company name")], []),
        ([_property("abn", "ABN")], ["abn"]),
        ([_property("tax_number", "Australian Business Number")], ["tax_number"]),
        ([_property("company_abn", "Number")], ["company_abn"]),
        ([_property("abnormal_flag", "Abnormal activity"), _property("lisabn", "LisABN")], []),
        ([_property("abn_verified", "ABN verified", "bool"), _property("abn_on", "ABN on", "date")], []),
        ([_property("abn_at", "ABN at", "datetime"), _property("abn_n", "ABN", "number")], ["abn_n"]),
        ([_property("my_abn", "ABN", "enumeration"), _property("old_abn", "Old ABN"), _property("abn", "x")],
         ["abn", "old_abn", "my_abn"]),
        ([_property("abn", "ABN", archived=True)], []),
        ([_property("abn", "ABN", calculated=True, hidden=True)], ["abn"]),
    ],
)  # fmt: skip
def test_properties_that_may_hold_an_abn(properties: list[Any], found: list[str]) -> None:
    assert [each.name for each in mapping.abn_properties({"results": properties})] == found


@pytest.mark.parametrize("answer", [{}, {"results": None}, {"results": {}}])
def test_a_list_of_properties_that_is_none_is_refused(answer: Any) -> None:
    with pytest.raises(NotAsDocumented):
        mapping.abn_properties(answer)


@pytest.mark.parametrize(
    "text",
    ["51 824 753 556", "51824753556", "ABN: 51-824-753-556", "abn 51.824.753.556", "51\u00a0824\u00a0753\u00a0556",
     "51\u2009824\u2009753\u2009556", "51824753556.0", "51824753556.00", "5.1824753556E10", "5.1824753556e+10",
     " ABN 51824753556 ", "\uff15\uff11824753556"],
)  # fmt: skip
def test_an_abn_is_read_however_it_is_written(text: str) -> None:
    assert mapping.read_abn(text) == ("51824753556", None)


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("", None),
        ("  ", None),
        ("51 824 753 557", AbnNote.WRONG_CHECK),
        ("15 824 753 556", AbnNote.WRONG_CHECK),
        ("11111111111", AbnNote.WRONG_CHECK),
        ("00000000000", AbnNote.WRONG_CHECK),
        ("00000000019", AbnNote.WRONG_CHECK),
        ("5182475355", AbnNote.WRONG_LENGTH),
        ("518247535567", AbnNote.WRONG_LENGTH),
        ("004 085 616", AbnNote.WRONG_LENGTH),
        ("51 824 753 556 001", AbnNote.WRONG_LENGTH),
        ("51824753556 / 53004085616", AbnNote.WRONG_LENGTH),
        ("51824753556, 53004085616", AbnNote.NOT_DIGITS),
        ("n/a", AbnNote.NOT_DIGITS),
        ("ABN", AbnNote.NOT_DIGITS),
        ("5.18247535561E10", AbnNote.NOT_DIGITS),
        ("5.1824753556E99", AbnNote.WRONG_LENGTH),
        ("٥١٨٢٤٧٥٣٥٥٦", AbnNote.NOT_DIGITS),
    ],
)
def test_an_abn_that_does_not_pass_is_left_out_with_the_reason(text: str, note: AbnNote | None) -> None:
    assert mapping.read_abn(text) == ("", note)


@given(st.text(max_size=60))
def test_whatever_stands_there_what_is_read_passes_the_register_s_check(text: str) -> None:
    digits, note = mapping.read_abn(text)
    assert digits == "" or (note is None and plain_abn(digits) == digits and digits[0] != "0")


@pytest.mark.parametrize(
    ("text", "name", "note"),
    [
        ("Example Pty Ltd", "Example Pty Ltd", None),
        ("  Example\u00a0Pty  Ltd ", "Example Pty  Ltd", None),
        ("Line\nBreak\x00\x1b[31m", "Line Break[31m", None),
        ("n" * 300, "n" * 300, None),
        ("n" * 301, "n" * 300, NameNote.SHORTENED),
        ("", "", None),
        ("\t \n", "", None),
        ("👩‍🌾 Farm", "👩‍🌾 Farm", None),
        ("\ud800Half", "Half", None),
        ("<b>O’Brien & Söhne</b>", "<b>O’Brien & Söhne</b>", None),
    ],
)
def test_a_name_is_taken_as_it_is(text: str, name: str, note: NameNote | None) -> None:
    assert mapping.clean_name(text) == (name, note)


def test_a_page_is_read_and_what_nobody_promised_is_tolerated() -> None:
    answer = {
        "results": [
            {"id": "1", "properties": {"name": "One", "abn": "51824753556", "new": "x"}, "associations": {}},
            {"id": "2", "properties": {"name": None}, "archived": False},
            {"id": "3", "properties": {"name": 7, "domain": "d" * 300}},
            {"id": "4", "properties": {}, "archived": True},
        ],
        "paging": {"next": {"after": "abc==", "link": "https://elsewhere.example/"}},
        "total": 9,
    }
    page = mapping.page_of(answer, "abn")
    assert [(each.id, each.name, each.abn) for each in page.companies] == [
        ("1", "One", "51824753556"), ("2", "", ""), ("3", "", ""),
    ]  # fmt: skip
    assert (page.after, page.total, page.archived, len(page.companies[2].domain)) == ("abc==", 9, 1, 255)
    assert mapping.page_of(answer, "").companies[0].abn == ""


@pytest.mark.parametrize(
    "answer",
    [
        {},
        {"results": "none"},
        {"results": [7]},
        {"results": [{"properties": {}}]},
        {"results": [{"id": 7, "properties": {}}]},
        {"results": [{"id": "", "properties": {}}]},
        {"results": [{"id": "1" * 65, "properties": {}}]},
        {"results": [{"id": "1", "properties": None}]},
        {"results": [], "paging": {"next": {"after": 100}}},
        {"results": [], "paging": {"next": {"after": "c" * 1001}}},
        {"results": [{"id": str(n), "properties": {}} for n in range(101)]},
    ],
)
def test_a_page_that_is_not_as_described_is_refused(answer: Any) -> None:
    with pytest.raises(NotAsDocumented):
        mapping.page_of(answer, "abn")


@pytest.mark.parametrize("paging", [None, {}, {"next": None}, {"next": {}}, {"next": {"after": ""}}, "x"])
def test_a_list_ends_where_nothing_follows(paging: Any) -> None:
    assert mapping.page_of({"results": [], "paging": paging}, "").after == ""


@pytest.mark.parametrize(
    ("problem", "scopes"),
    [
        ({"errors": [{"context": {"requiredGranularScopes": ["crm.objects.companies.read"]}}]},
         ("crm.objects.companies.read",)),
        ({"context": {"missingScopes": ["crm.schemas.companies.read"]}}, ("crm.schemas.companies.read",)),
        ({"requiredScopes": ["crm.objects.companies.read", "crm.schemas.companies.read"]},
         ("crm.objects.companies.read", "crm.schemas.companies.read")),
        ({"message": "This key needs crm.objects.companies.read."}, ("crm.objects.companies.read",)),
        ({"message": "no"}, ()),
        ({"errors": "none", "context": 7}, ()),
        ({"context": {"missingScopes": ["<script>", 7, "x" * 5000]}}, ()),
    ],
)  # fmt: skip
def test_missing_scopes_are_found_wherever_they_are_named(problem: Any, scopes: tuple[str, ...]) -> None:
    assert mapping.scopes_in(problem) == scopes
