"""A question on its way: asked, followed, answered or refused, and what happens when something goes away."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from asat_site.tests.browser.conftest import (
    ANSWERED,
    CHANGED,
    IN_A_GAP,
    OUT_OF_SCOPE,
    Site,
    answered,
    ask,
    no_worker_free,
)


def test_a_question_is_asked_followed_answered_and_opened_where_its_words_stand(page: Page) -> None:
    with no_worker_free():
        result = ask(page, ANSWERED, "FY2020")
        expect(result.get_by_text("Looking it up")).to_be_visible()
        expect(result.locator(".stages li")).to_have_count(6)
        expect(result.locator("[data-state='waiting']")).to_have_count(6)
        expect(page.get_by_label("Your question")).to_have_value("")
    expect(result.get_by_text("Answered", exact=True)).to_be_visible()
    expect(result.locator("[data-state='done']")).to_have_count(6)
    expect(result.locator(".chip").first).to_contain_text("FY2020 1 Jul 2019 – 30 Jun 2020")
    expect(result.locator("blockquote").first).to_contain_text("between")
    quoted = result.locator("blockquote").first.locator(".ln > span:last-child").first.inner_text()
    result.get_by_role("link", name="Open in context").first.click()
    expect(page).to_have_title("HDFA99 s 5-10 Travel between ports – AsAt")
    marked = "".join(page.locator("article.law mark").all_inner_texts())
    assert quoted[:60] in marked
    expect(page.locator("#quoted")).to_be_in_viewport()


def test_stages_tick_in_place_while_the_question_above_them_stays_where_it_is(page: Page) -> None:
    with no_worker_free():
        result = ask(page, ANSWERED, "FY2020")
        expect(result.locator("h2.q")).to_be_visible()
        before = result.locator("h2.q").bounding_box()
        meta = result.locator(".meta").bounding_box()
    expect(result.locator("footer.foot-note")).to_be_visible()
    assert result.locator("h2.q").bounding_box() == before
    assert meta is not None and result.locator(".meta").bounding_box()["y"] == meta["y"]


def test_a_page_that_is_loaded_again_in_mid_run_goes_on_following(page: Page) -> None:
    with no_worker_free():
        ask(page, ANSWERED, "FY2020")
        expect(page.locator("article.running")).to_have_count(1)
        page.reload()
        running = page.locator("article.running")
        expect(running).to_have_count(1)
        expect(running.get_by_text("Waiting for a worker to take it.")).to_be_visible()
    expect(page.locator("article.running")).to_have_count(0)
    expect(page.locator("article.result.answered")).to_have_count(1)


def test_a_connection_that_drops_in_mid_run_is_survived(page: Page) -> None:
    with no_worker_free():
        result = ask(page, ANSWERED, "FY2020")
        expect(result.locator(".stages")).to_be_visible()
        page.context.set_offline(True)
        expect(result.get_by_text("The server could not be reached.")).to_be_visible()
    page.context.set_offline(False)
    expect(result.locator("footer.foot-note")).to_be_visible()


def test_a_session_that_ends_in_mid_run_is_said_and_the_question_is_kept(page: Page, site: Site) -> None:
    with no_worker_free():
        result = ask(page, ANSWERED, "FY2020")
        expect(result.locator(".stages")).to_be_visible()
        page.context.clear_cookies()
        expect(result.get_by_text("Your session has ended.")).to_be_visible()
    site.sign_in(page)
    expect(page.locator("article.result").filter(has_text=ANSWERED)).to_have_count(1)


def test_an_expired_session_leads_a_new_question_to_the_sign_in_page_and_back(page: Page, site: Site) -> None:
    page.context.clear_cookies(name="asat_session")
    box = page.get_by_label("Your question")
    box.fill(ANSWERED)
    box.press("Enter")
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    site.sign_in(page)
    expect(box).to_have_value(ANSWERED)


def test_what_another_user_typed_is_not_shown_after_signing_in(page: Page, site: Site) -> None:
    page.context.clear_cookies(name="asat_session")
    box = page.get_by_label("Your question")
    box.fill(ANSWERED)
    box.press("Enter")
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    site.sign_in(page, "owner")
    expect(box).to_have_value("")


def test_seven_tabs_share_one_stream_and_each_gets_its_answer(page: Page, site: Site) -> None:
    tabs = [page] + [page.context.new_page() for _ in range(6)]
    for tab in tabs[1:]:
        tab.goto(f"{site.address}/")
    with no_worker_free():
        for number, tab in enumerate(tabs):
            tab.bring_to_front()
            expect(ask(tab, f"{ANSWERED} Tab {number}.", "FY2020").locator(".stages")).to_be_visible()
        for _ in range(50):  # the last tab's request may still be on its way
            locks = page.evaluate("navigator.locks.query()")
            if len(locks["held"]) + len(locks["pending"]) == len(tabs):
                break
            page.wait_for_timeout(100)
        assert (len(locks["held"]), len(locks["pending"])) == (1, 6)
        assert page.evaluate("fetch('/health/').then(answer => answer.status)") == 200  # an eighth request is served
    for number, tab in enumerate(tabs):
        result = tab.locator("article.result").filter(has_text=f"Tab {number}.").first
        expect(result.locator("footer.foot-note")).to_be_visible(timeout=30_000)


def test_a_refusal_says_why_what_is_known_and_what_to_do_next(page: Page) -> None:
    result = answered(page, IN_A_GAP, "FY2021")
    expect(result.locator(".badge").first).to_have_text("Not answered: the wording on that date is not known")
    expect(result.get_by_text("Next", exact=True)).to_be_visible()
    expect(result.get_by_role("heading", name="The words on either side")).to_be_visible()
    expect(result.locator(".worth").first.locator("li")).to_have_count(2)
    result.get_by_role("link", name="Compare the two wordings").click()
    expect(page.locator("article.law ins").first).to_be_visible()
    expect(page.locator("article.law del").first).to_be_visible()


def test_a_question_out_of_scope_is_refused_without_alarm(page: Page) -> None:
    result = answered(page, OUT_OF_SCOPE, "FY2020")
    expect(result).to_have_class("result refused")
    expect(result.locator(".fault")).to_have_count(0)


def test_one_of_two_years_is_asked_with_one_click(page: Page) -> None:
    result = answered(page, "Can a harbour pilot deduct travel between two ports in FY2020 or FY2024?", "FY2021")
    expect(result.locator(".badge").first).to_have_text("Which one is meant?")
    result.get_by_role("button", name="Ask about FY2020").click()
    newest = page.locator("article.result").first
    expect(newest.locator("h2")).to_have_text("Can a harbour pilot deduct travel between two ports in FY2020?")
    expect(newest.locator("footer.foot-note")).to_be_visible()
    expect(newest.locator(".again .chip b")).to_have_text("FY2020")


def test_what_changed_between_two_years_is_answered_side_by_side(page: Page) -> None:
    result = answered(page, CHANGED)
    expect(result.locator(".side-answer")).to_have_count(2)
    earlier, later = result.locator(".side-answer").all()
    expect(earlier.locator(".chip").first).to_contain_text("FY2019")
    expect(later.locator(".chip").first).to_contain_text("FY2023")
    assert earlier.bounding_box()["y"] == later.bounding_box()["y"]
    expect(earlier.locator(".differs").first).to_be_visible()
    expect(later.locator(".differs").first).to_be_visible()
    result.get_by_role("link", name="Compare the two wordings whole").first.click()
    expect(page).to_have_url(re.compile(r"/law/HDFA99/5-20\?from=FY2019&to=FY2023#compared$"))
    expect(page.locator("article.law ins").first).to_be_visible()


def test_two_answers_stand_under_one_another_on_a_phone(new_page: Callable[..., Page], site: Site) -> None:
    page = site.sign_in(new_page(viewport={"width": 390, "height": 844}))
    sides = answered(page, CHANGED).locator(".side-answer")
    expect(sides).to_have_count(2)
    first, second = (side.bounding_box() for side in sides.all())
    assert second["y"] >= first["y"] + first["height"]
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0


def test_a_search_is_narrowed_and_the_next_one_stays_so_until_it_is_opened_again(
    own_document: None, page: Page
) -> None:
    page.get_by_text("Search in: everything").click()
    page.get_by_label("Own documents").check()
    expect(page.locator("[data-narrowed]")).to_have_text("Own documents")
    page.keyboard.press("Escape")
    expect(page.get_by_label("Own documents")).to_be_hidden()
    result = answered(page, ANSWERED, "FY2020")
    expect(result.locator(".narrowed")).to_have_text("Searched in Own documents only")
    expect(page.locator("[data-narrowed]")).to_have_text("Own documents")


def test_another_year_is_one_key_away(page: Page) -> None:
    answered(page, ANSWERED, "FY2020")
    page.locator("body").press("y")
    year = page.locator(".again select").first
    expect(year).to_be_focused()
    year.select_option(label="FY2022")
    page.get_by_role("button", name="Ask again").click()
    newest = page.locator("article.result").first
    expect(newest.locator(".chip").first).to_contain_text("FY2022")
    expect(page.locator("article.result")).to_have_count(2)


def test_a_form_that_has_expired_says_so_and_keeps_what_was_typed(page: Page) -> None:
    page.context.clear_cookies(name="asat_csrf")
    box = page.get_by_label("Your question")
    box.fill(ANSWERED)
    box.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("Load the page again")
    expect(box).to_have_value(ANSWERED)
    page.reload()
    expect(box).to_have_value(ANSWERED)


@pytest.mark.parametrize("typed", ["   ", "?!?"])
def test_what_is_no_question_is_refused_beside_the_box_and_kept(page: Page, typed: str) -> None:
    box = page.get_by_label("Your question")
    box.fill(typed)
    box.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("There is no question yet")
    expect(box).to_have_value(typed)


def test_markup_in_a_question_is_shown_and_never_run(page: Page) -> None:
    typed = "<img src=x onerror=\"document.title='run'\"><script>document.title='run'</script> Is it deductible?"
    result = answered(page, typed, "FY2020")
    expect(result.locator("h2.q")).to_have_text(typed)
    assert page.locator("h2.q img, h2.q script").count() == 0
    assert page.title() != "run"


def test_a_question_can_be_asked_and_read_without_script(new_page: Callable[..., Page], site: Site) -> None:
    page = site.sign_in(new_page(java_script_enabled=False))
    page.get_by_label("Your question").fill(ANSWERED)
    page.get_by_role("button", name="Ask", exact=True).click()
    expect(page.locator("article.result footer.foot-note")).to_be_visible(timeout=20_000)  # it reloads by itself
    expect(page.locator("blockquote").first).to_be_visible()
    page.get_by_role("link", name="Open in context").first.click()
    expect(page.locator("article.law mark").first).to_be_visible()
    page.goto(f"{site.address}/")
    page.get_by_role("button", name="Replay").click()
    expect(page.get_by_role("heading", name="Reproduced")).to_be_visible()


def test_an_example_is_asked_with_one_click_and_answered(page: Page) -> None:
    examples = page.locator("#examples li button")
    if examples.count() == 0:
        pytest.fail("no verified example is offered on the empty page")
    examples.first.click()
    result = page.locator("article.result").first
    expect(result).to_have_class("result answered")
    expect(page.locator("#examples")).to_have_count(0)


@pytest.mark.security
def test_another_practice_in_the_same_browser_sees_nothing_of_it(page: Page, stranger: Site) -> None:
    answered(page, ANSWERED, "FY2020")
    link = page.locator("article.result").first.get_attribute("id")
    assert link is not None
    other = page.context.new_page()
    stranger.sign_in(other)
    expect(other.locator("article.result")).to_have_count(0)
    answer = other.goto(f"{stranger.address}/questions/{link.removeprefix('question-')}/")
    assert answer is not None and answer.status == 404
    other.goto(f"{stranger.address}/audit/")
    expect(other.get_by_text("No answer has been recorded yet.")).to_be_visible()
