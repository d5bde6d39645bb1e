"""Cards counted by their value: shown again as they were typed, and those left in hand as well as those laid."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page as Browsed
from playwright.sync_api import expect

from scorepad.i18n import Language
from scorepad.matches import Pad
from scorepad.matches.access import KEEPER, Access, MatchId, RequestId
from scorepad.matches.projection import HandState
from scorepad.matches.results import Saved
from scorepad.rules.variants import settle
from scorepad.storage import Storage
from scorepad.web.count import names
from scorepad.web.count.counting import what_counts
from scorepad.web.count.needs import Needs
from scorepad.web.count.occasions import draft_of_hand
from scorepad.web.count.prefill import draft_from
from scorepad.web.count.reading import read_draft
from tests.web.client import Client, Page
from tests.web.counting import begin, begun, beside, check, counting, form_of, send, type_and
from tests.web.playing import correct, device, hand, match_of, play, side
from tests.web.test_count_in_browser import LONG, look
from tests.web.test_count_in_browser import counting as in_browser

IT = Language.ITALIAN
CLASSICA = settle("classica")
CORRECT, CONTEST = "Salva la correzione", "Salva il mio conto"
GROUPS = {"a-value-50": "3", "a-value-20": "7", "a-value-10": "2", "a-value-5": "1"}
"""3 jokers, 7 aces or twos, 2 from king to eight, a seven or less: 150 + 140 + 20 + 5 = 315."""
LEFT = {"b-left-value-50": "", "b-left-value-20": "1", "b-left-value-10": "2", "b-left-value-5": "3"}
"""An ace, two from king to eight, three of seven or less: 20 + 20 + 15 = 55."""
NOBODY = {"b-cards": "0", "b-left": "0", "out": "nobody"}
LAID_SO = {"a-way": "values", **GROUPS, "a-left": "15", **NOBODY}
LEFT_SO = {"a-cards": "60", "a-left": "0", "b-cards": "0", "b-left-way": "values", **LEFT, "out": "nobody"}


@pytest.fixture
def match(client: Client, pad: Pad) -> str:
    return begin(pad, client)


def save(client: Client, match: str, typed: dict[str, str]) -> Page:
    return type_and("save", client, client.get(counting(match)), typed)


def the_hand(pad: Pad, client: Client, match: str) -> HandState:
    return pad.state(match_of(match), device(client)).hands[0]


def correcting(client: Client, match: str) -> Page:
    return client.get(f"{match}/smazzate/1/correggi")


def put_right(client: Client, match: str, **typed: str) -> None:
    type_and("save", client, correcting(client, match), {name.replace("_", "-"): text for name, text in typed.items()})


def shown(page: Page, *fields: str, button: str = CORRECT) -> dict[str, str]:
    form = form_of(page, button)
    return {field: form.get(field, "") for field in fields}


# ---------------------------------------------------------------- as they were typed


def test_a_correction_begins_with_the_cards_of_each_value_as_they_were_typed(
    client: Client, pad: Pad, match: str
) -> None:
    save(client, match, {**LAID_SO, "a-canasta-natural-canasta": "1"})
    page = correcting(client, match)
    assert shown(page, "a-way", *GROUPS, "a-cards") == {"a-way": "values", **GROUPS, "a-cards": ""}
    assert page.one(id="a-values-told").text == "3 × 50 + 7 × 20 + 2 × 10 + 1 × 5 = 315 punti"
    assert shown(page, "a-canasta-natural-canasta", "a-left") == {"a-canasta-natural-canasta": "1", "a-left": "15"}
    assert shown(page, "b-way", "b-cards") == {"b-way": "totals", "b-cards": "0"}


def test_whoever_counted_by_value_does_so_in_the_next_hand_too(client: Client, match: str) -> None:
    save(client, match, LAID_SO)
    shown = form_of(client.get(counting(match)))
    assert (shown["a-way"], shown["b-way"]) == ("values", "totals")
    assert not any(shown[field] for field in GROUPS)


def test_a_correction_keeps_its_own_and_undone_it_gives_back_those_before(client: Client, pad: Pad, match: str) -> None:
    save(client, match, LAID_SO)
    put_right(client, match, a_value_50="2")
    # 100 + 140 + 20 + 5 - 15
    assert the_hand(pad, client, match).sides[0].hand == 250
    assert shown(correcting(client, match), *GROUPS) == {**GROUPS, "a-value-50": "2"}
    undo(pad, client, match)
    assert shown(correcting(client, match), *GROUPS) == GROUPS
    undo(pad, client, match)
    assert shown(client.get(counting(match)), "a-way", *GROUPS, button="Salva la smazzata") == {
        "a-way": "values", **GROUPS,
    }  # fmt: skip


def undo(pad: Pad, client: Client, match: str) -> None:
    name, who = match_of(match), device(client)
    sequence = pad.state(name, who).sequence
    assert isinstance(pad.undo(RequestId(f"undo-{sequence}"), name, who, sequence), Saved)


def test_the_hand_itself_knows_nothing_of_values(client: Client, pad: Pad, match: str) -> None:
    save(client, match, LAID_SO)
    put_right(client, match, a_value_50="2")
    for version, cards in zip(the_hand(pad, client, match).versions, (315, 265), strict=True):
        assert version.hand["sides"]["a"] == {"totals": {"canastas": {}, "cards": cards}, "left": 15}


def test_where_the_points_are_others_by_now_only_they_are_shown(client: Client, pad: Pad, match: str) -> None:
    save(client, match, LAID_SO)
    correct(pad, client, match, 1, hand(side(320, 15), side()))
    assert shown(correcting(client, match), "a-way", "a-cards", *GROUPS) == {
        "a-way": "totals", "a-cards": "320", **dict.fromkeys(GROUPS, ""),
    }  # fmt: skip
    told = draft_from(the_hand(pad, client, match).versions[-1].hand, CLASSICA, LAID_SO)
    assert (told["a-way"], told["a-cards"], "a-value-50" in told) == ("totals", "320", False)


def test_a_hand_of_which_nothing_is_kept_as_typed_is_shown_in_points(client: Client, pad: Pad, match: str) -> None:
    play(pad, client, match, hand(side(315, 15), side()))
    assert shown(correcting(client, match), "a-way", "a-cards") == {"a-way": "totals", "a-cards": "315"}


def test_what_was_typed_and_not_chosen_does_not_come_back(client: Client, match: str) -> None:
    save(client, match, {**LAID_SO, "a-way": "totals", "a-cards": "315"})
    assert shown(correcting(client, match), "a-way", "a-cards", *GROUPS) == {
        "a-way": "totals", "a-cards": "315", **dict.fromkeys(GROUPS, ""),
    }  # fmt: skip


def test_that_nothing_was_laid_comes_back_as_it_was_said(client: Client, match: str) -> None:
    save(client, match, {"a-way": "values", "a-value-50": "0", "a-left": "15", **NOBODY})
    assert shown(correcting(client, match), "a-way", "a-value-50", "a-cards") == {
        "a-way": "values", "a-value-50": "0", "a-cards": "",
    }  # fmt: skip


def test_the_very_same_hand_from_another_page_is_the_same(client: Client, pad: Pad, match: str) -> None:
    first, second = (client.get(counting(match)) for _ in range(2))
    type_and("save", client, first, LAID_SO)
    page = type_and("save", client, second, LAID_SO)
    assert page.url == match
    told = "La smazzata 1 era già stata salvata da un altro telefono o da un'altra pagina, con lo stesso conto."
    assert page.notices == [told]
    assert len(pad.state(match_of(match), device(client)).hands) == 1


def test_beside_another_count_both_are_shown_by_value(client: Client, match: str) -> None:
    save(client, match, LAID_SO)
    page = correcting(client, match)
    put_right(client, match, a_value_20="6")
    both = type_and("save", client, page, {"a-value-20": "8"}, 409)
    assert both.one("tbody").text == "Noi: Carte da 20 6 8"


def test_a_pair_shows_them_with_whoever_went_out(client: Client, pad: Pad) -> None:
    match = begin(pad, client, "tagliagola")
    typed = {
        "single": "a", "b-way": "values", "b-canasta-natural-canasta": "2", "b-value-50": "2", "b-value-20": "2",
        "b-value-10": "14", "a-cards": "0", "a-left": "30", "b-left": "10", "c-left": "0", "out": "c",
    }  # fmt: skip
    save(client, match, typed)
    # 100 + 40 + 140, written in the form of one of the pair, and told of the other, who went out
    assert the_hand(pad, client, match).versions[-1].hand["sides"]["c"]["totals"]["cards"] == 280
    page = correcting(client, match)
    groups = {"c-value-50": "2", "c-value-20": "2", "c-value-10": "14"}
    assert shown(page, "c-way", *groups) == {"c-way": "values", **groups}
    assert not page.all(id="b-value-50"), "once"


# ---------------------------------------------------------------- on two phones, and in a file


def test_what_is_contested_comes_back_by_value_and_so_does_what_is_chosen(
    client: Client, visit: Callable[..., Client], pad: Pad
) -> None:
    started, other = begun(pad, client), visit()
    match = f"/partite/{started.match}"
    other.get("/regole")
    assert started.keys is not None
    assert pad.devices.enter(started.keys.write, device(other))
    assert pad.access(started.match, device(other)) is Access.WRITE
    pad.checking.switch(RequestId("on"), started.match, device(client), on=True)
    save(client, match, LAID_SO)
    page = other.get(f"{match}/smazzate/1/contesta?dal-primo=1")
    assert shown(page, "a-way", *GROUPS, button=CONTEST) == {"a-way": "values", **GROUPS}
    form = page.form(CONTEST)
    other.post(form["action"], {**page.values(form), "a-value-10": "4", "do": "save"})
    contested = the_hand(pad, client, match)
    assert contested.checked.contest is not None
    both = (contested.versions[-1].entry, contested.checked.contest.entry)
    pad.checking.choose(RequestId("choose"), started.match, device(client), 1, both, both[1])
    # 335 - 15
    assert the_hand(pad, client, match).sides[0].hand == 320
    assert shown(correcting(client, match), *GROUPS) == {**GROUPS, "a-value-10": "4"}


def test_a_match_taken_out_and_in_again_shows_them_as_before(
    client: Client, pad: Pad, match: str, tmp_path: Path
) -> None:
    save(client, match, LAID_SO)
    put_right(client, match, a_value_50="2", b_left="", b_left_way="values", b_left_value_20="1")
    told = pad.exports.match(match_of(match), KEEPER)
    with Storage(tmp_path / "again.db") as there:
        again = Pad(there)
        again.imports.take(told.encoded(), KEEPER)
        assert again.exports.match(match_of(match), KEEPER).encoded() == told.encoded()
        (counted,) = again.state(match_of(match), KEEPER).hands
    draft = draft_of_hand(counted, CLASSICA)
    assert {name: draft.get(name) for name in GROUPS} == {**GROUPS, "a-value-50": "2"}
    assert (draft["b-left-way"], draft["b-left-value-20"], counted.sides[1].hand) == ("values", "1", -20)


# ---------------------------------------------------------------- left in hand


def test_cards_left_are_counted_by_value_and_their_sum_is_shown(client: Client, pad: Pad, match: str) -> None:
    told = check(client, client.get(counting(match)), LEFT_SO)
    assert told is not None
    assert told.one(id="b-left-values-told").text == "1 × 20 + 2 × 10 + 3 × 5 = 55 punti"
    save(client, match, LEFT_SO)
    counted = the_hand(pad, client, match)
    assert counted.versions[-1].hand["sides"]["b"] == {"melds": [], "left": 55}
    assert [each.hand for each in counted.sides] == [60, -55]


def test_cards_left_come_back_by_value_too(client: Client, pad: Pad, match: str) -> None:
    save(client, match, LEFT_SO)
    page = correcting(client, match)
    assert shown(page, "b-left-way", *LEFT, "b-left") == {"b-left-way": "values", **LEFT, "b-left": ""}
    assert shown(page, "a-left-way", "a-left") == {"a-left-way": "points", "a-left": "0"}
    put_right(client, match, b_left_value_50="1")
    assert the_hand(pad, client, match).sides[1].hand == -105
    correct(pad, client, match, 1, hand(side(60), side(0, 110)))
    assert shown(correcting(client, match), "b-left-way", "b-left") == {"b-left-way": "points", "b-left": "110"}


def test_the_values_of_cards_left_are_those_of_every_card_that_costs_something() -> None:
    needs = Needs(CLASSICA)
    assert [points for points, _ in needs.left_values] == [50, 20, 10, 5]
    # 4 jokers; 8 aces and 8 twos; kings to eights, six ranks of 8; sevens to fours, and 4 black threes.
    most = [needs.most(names.left_value("a", points)) for points in (50, 20, 10, 5)]
    assert most == [4, 16, 48, 36]
    # Never melded there, black threes are held all the same: 4 ranks of 12 in three decks, and 6 of them.
    canastone = Needs(settle("canastone"))
    assert (canastone.most("a-value-5"), canastone.most("a-left-value-5")) == (48, 54)


@pytest.mark.parametrize("variant", ["mini", "sette", "moderna"])
def test_where_a_rule_goes_by_more_than_points_cards_left_are_not_counted_by_value(
    client: Client, pad: Pad, variant: str
) -> None:
    page = client.get(counting(begin(pad, client, variant)))
    assert names.IN_VALUES not in Needs(settle(variant)).left_ways
    assert not page.all("input", id="a-left-way-values")
    assert not page.all("input", id="a-left-value-20")


def test_a_side_that_says_nothing_of_its_cards_left_is_asked(client: Client, pad: Pad, match: str) -> None:
    page = save(client, match, {**LEFT_SO, **dict.fromkeys(LEFT, "")})
    assert page.errors == ["Loro: Scrivi le carte rimaste in mano, 0 se non ne aveva nessuna."]
    assert page.one(class_="errors").one("a")["href"] == "#b-left-value-50"
    type_and("save", client, page, {"b-left-value-5": "0"})
    assert [each.hand for each in the_hand(pad, client, match).sides] == [60, 0]


def test_whoever_goes_out_alone_is_asked_for_no_cards_left(client: Client, pad: Pad) -> None:
    match = begin(pad, client, "due")
    typed = {
        "a-canasta-natural-canasta": "2", "a-cards": "200", "a-left-way": "values", "out": "a", "b-cards": "0",
        "b-left-way": "values", "b-left-value-10": "4",
    }  # fmt: skip
    save(client, match, typed)
    # 1000 + 200 + 100 for going out; 4 tens
    assert [each.hand for each in the_hand(pad, client, match).sides] == [1300, -40]


def test_whoever_goes_out_has_none_left_by_value_either(client: Client, pad: Pad) -> None:
    match = begin(pad, client, "due")
    typed = {
        "a-canasta-natural-canasta": "2", "a-cards": "200", "a-left-way": "values", "a-left-value-5": "1", "out": "a",
        "b-cards": "0", "b-left": "40",
    }  # fmt: skip
    page = save(client, match, typed)
    assert [link["href"] for link in page.one(class_="errors").all("a")] == ["#a-left-value-50"]
    type_and("save", client, page, {"a-left-value-5": "0"})
    assert the_hand(pad, client, match).sides[0].hand == 1300


def test_laid_and_left_together_there_are_no_more_of_a_value_than_in_the_decks(
    client: Client, pad: Pad, match: str
) -> None:
    left = {"b-left": "", "b-left-way": "values", "b-left-value-50": "2"}
    page = save(client, match, {**LAID_SO, **left})
    told = "Loro: Tutti insieme avete più carte così delle 4 che ci sono nei mazzi: contatele di nuovo."
    assert page.errors == [told]
    assert beside(page, "b-left-value-50") == [f"Errore: {told}"]
    type_and("save", client, page, {"b-left-value-50": "1"})
    assert [each.hand for each in the_hand(pad, client, match).sides] == [300, -50]


def test_no_more_are_left_of_a_value_than_the_decks_hold(client: Client, match: str) -> None:
    page = save(client, match, {**LEFT_SO, "b-left-value-50": "5"})
    assert beside(page, "b-left-value-50") == ["Errore: Loro: Carte così nei mazzi ce ne sono 4: contale di nuovo."]
    page = send(client, page, "up:b-left-value-20", b__left__value__20="15")
    page = send(client, page, "up:b-left-value-20")
    assert form_of(page)["b-left-value-20"] == "16"


def test_values_of_a_side_that_is_told_by_its_sum_do_not_count(client: Client, pad: Pad, match: str) -> None:
    typed = {
        **LAID_SO,
        "a-value-50": "4",
        "b-way": "sum",
        "b-sum": "40",
        "b-left-way": "values",
        "b-left-value-50": "3",
    }
    save(client, match, typed)
    # 200 + 140 + 20 + 5 - 15
    assert [each.hand for each in the_hand(pad, client, match).sides] == [350, 40]


def test_two_pages_that_count_what_is_left_otherwise_show_both(client: Client, match: str) -> None:
    first, second = (client.get(counting(match)) for _ in range(2))
    type_and("check", client, first, LEFT_SO)
    page = type_and("check", client, second, {**LEFT_SO, "b-left-value-20": "2"}, 409)
    assert page.one("tbody").text == "Loro: Carte da 20 in mano 1 2"


def test_two_drafts_are_the_same_where_the_cards_left_of_each_value_are() -> None:
    one = {"a-left-way": "values", "a-left-value-10": "2"}
    assert what_counts(one, CLASSICA, IT) == what_counts(
        {**one, "a-left": "15", "a-left-value-10": " 2 "}, CLASSICA, IT
    )
    assert what_counts(one, CLASSICA, IT) != what_counts({**one, "a-left-value-10": "3"}, CLASSICA, IT)
    assert what_counts(one, CLASSICA, IT) != what_counts({"a-left": "20"}, CLASSICA, IT)


def test_read_again_the_draft_of_a_hand_by_value_is_the_hand() -> None:
    read = read_draft({**LAID_SO, "b-left": "", "b-left-way": "values", **LEFT}, CLASSICA, IT)
    assert read.troubles == []
    draft = draft_from(read.hand, CLASSICA, {**LAID_SO, "b-left-way": "values", **LEFT})
    assert read_draft(draft, CLASSICA, IT).hand == read.hand


@pytest.mark.parametrize(
    ("variant", "told"),
    [
        ("classica", "How many cards of each value, of all partners together. 0 if none."),
        ("due", "How many cards of each value. 0 if none."),
        (
            "hand-and-foot",
            "How many cards of each value, of the hand and the foot of all partners together. 0 if none.",
        ),
    ],
)
def test_the_page_says_it_in_english_too(visit: Callable[..., Client], pad: Pad, variant: str, told: str) -> None:
    client = visit("en")
    words = client.get(counting(begin(pad, client, variant))).form("Save the hand").text
    assert told in words
    assert "Cards worth 20 in hand" in words


# ---------------------------------------------------------------- in a browser


@pytest.mark.parametrize(("width", "theme"), [(320, "dark"), (1280, "light")])
def test_cards_left_are_offered_by_value_where_those_laid_are(
    new_match: Callable[..., MatchId], open_page: Callable[..., Browsed], width: int, theme: str
) -> None:
    page = open_page(in_browser(new_match("classica", "getty", LONG)), width, 800, color_scheme=theme)
    offered = page.locator('label[for="a-left-way-values"]')
    expect(offered).to_be_hidden()
    page.locator('label[for="a-way-values"]').click()
    expect(page.locator('label[for="b-left-way-values"]')).to_be_hidden()
    offered.click()
    for _ in range(3):
        page.locator('button[value="up:a-left-value-10"]').click()
    expect(page.locator("#a-left-values-told")).to_have_text("3 × 10 = 30 punti")
    expect(page.locator("#a-left")).to_be_hidden()
    page.locator('label[for="a-way-totals"]').click()
    expect(page.locator("#a-left-value-10")).to_have_value("3")
    expect(offered).to_be_visible()
    look(page)


def test_without_the_script_they_are_offered_and_kept_all_the_same(
    new_match: Callable[..., MatchId], open_page: Callable[..., Browsed]
) -> None:
    page = open_page(in_browser(new_match()), 390, 844, java_script_enabled=False)
    page.locator('label[for="b-way-values"]').click()
    page.locator('label[for="b-left-way-values"]').click()
    page.locator('button[value="up:b-left-value-20"]').click()
    expect(page.locator("#b-left-values-told")).to_have_text("1 × 20 = 20 punti")
    expect(page.locator("#b-left-value-20")).to_be_visible()
