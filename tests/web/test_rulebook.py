"""The rulebook: every game in full on its page, each rule with its source; what a table chose; what
else it says.
"""

from __future__ import annotations

import re

import pytest

from scorepad.i18n import Words, words
from scorepad.i18n.rule_sentences import CHAPTERS, write_sentence
from scorepad.referee.penalties import irregularities
from scorepad.rules.definitions import SETTING_KEYS, Variant
from scorepad.rules.loader import load_statements
from scorepad.rules.score_lines import ITEMS
from scorepad.rules.turn_checks import BOUNDS_NOT_CHECKED
from scorepad.rules.variants import (
    get_variant,
    settle,
    sources,
    variant_ids,
    variant_with_choices,
)
from scorepad.web.citations import citations_in_words
from scorepad.web.rule_choices import in_book
from tests.web.client import Client, Element, Page, Visit
from tests.web.tables import read_tables
from tests.web.weights import KB, packed_size

CASES = read_tables("rulebook")

RAW = re.compile(
    r"\b(?:rulebook|setting|value|option|read|problem|item|penalty|remedy|ruling|variant)\.[a-z0-9]"
)


def by_place(page: Page) -> dict[str, str]:
    """What stands at every place of the page."""
    return {each["id"]: each.text for each in page.all() if each.has("id")}


def rule(page: Page, anchor: str) -> str:
    """What stands at a place of the page."""
    return page.one(id=anchor).text


# ---------------------------------------------------------------- the first page


@pytest.mark.parametrize("language", ["it", "en"])
def test_the_first_page_tells_every_game_in_a_line(visit: Visit, language: str) -> None:
    speech = words(language)
    games = visit(language).get("/regole").all("a", class_="game")
    for name, game in zip(variant_ids(), games, strict=True):
        assert game["href"] == f"/regole/{name}"
        assert game.text.startswith(speech.t(f"variant.{name}.name"))
        assert game.text.endswith(speech.t(f"variant.{name}.special"))


def test_the_first_page_tells_how_many_play_and_how_far(client: Client) -> None:
    told = {game["href"]: game.text for game in client.get("/regole").all("a", class_="game")}
    assert "2, 3 o 4 giocatori, si arriva a 30" in told["/regole/mini"]
    assert "3 giocatori, si arriva a 7.500" in told["/regole/tagliagola"]
    assert "4 giocatori, 4 smazzate, vince il totale più alto" in told["/regole/hand-and-foot"]


def test_the_first_page_leads_to_the_blank_pads_of_every_game(client: Client) -> None:
    folded = client.get("/regole").one("details", class_="blanks")
    assert folded.one("summary").text == "Segnapunti in bianco da stampare (PDF)"
    assert [link["href"] for link in folded.all("a")] == [
        f"/regole/{name}/segnapunti.pdf" for name in variant_ids()
    ]


@pytest.mark.parametrize(
    ("old", "new"), [("/giochi", "/regole"), ("/giochi/samba", "/regole/samba")]
)
def test_the_old_addresses_of_the_games_lead_to_the_rulebook(
    client: Client, old: str, new: str
) -> None:
    answer = client.raw.get(old)
    assert answer.status_code == 308
    assert answer.headers["Location"].endswith(new)


@pytest.mark.parametrize("name", ["bridge", "sources", "..%2Fclassica", "Samba"])
def test_a_game_that_is_not_there_is_not_found(client: Client, name: str) -> None:
    client.get(f"/regole/{name}", status=404)


# ---------------------------------------------------------------- a game in full


def test_every_setting_stands_in_one_chapter() -> None:
    told = [key for keys in CHAPTERS.values() for key in keys]
    assert sorted(told) == sorted(SETTING_KEYS)


def test_every_statement_stands_in_a_chapter_after_a_rule_of_it() -> None:
    for each in load_statements().values():
        assert each.section in CHAPTERS, each.id
        assert each.after is None or each.after in CHAPTERS[each.section], each.id


@pytest.mark.quick(8)
@pytest.mark.parametrize("language", ["it", "en"])
@pytest.mark.parametrize("name", variant_ids())
def test_every_value_is_told_with_its_source(visit: Visit, name: str, language: str) -> None:
    page = visit(language).get(f"/regole/{name}")
    variant = get_variant(name)
    speech = words(language)
    keys = [key for key in SETTING_KEYS if in_book(key, variant, speech)]
    assert len(keys) > 40
    places = by_place(page)
    for key in keys:
        cited = variant.settings[key].cited
        told = places[f"regola-{key}"]
        assert source(cited.citations, speech) in told, key
        assert not cited.read or speech.t(f"read.{cited.read}") in told, key
        for note in cited.notes:
            assert note in told, key
    assert not RAW.search(page.text)
    assert not re.search(r"%\(|None\b", page.text)


@pytest.mark.quick(8)
@pytest.mark.parametrize("language", ["it", "en"])
@pytest.mark.parametrize("name", variant_ids())
def test_every_choice_of_the_table_is_told_with_its_source(
    visit: Visit, name: str, language: str
) -> None:
    places = by_place(visit(language).get(f"/regole/{name}?aperto=si"))
    variant = get_variant(name)
    speech = words(language)
    for option in variant.options.values():
        if (name, option.id) == ("cubana", "wild-on-canasta"):
            assert f"scelta-{option.id}" not in places, "no meld grows beyond seven cards"
            continue
        told = places[f"scelta-{option.id}"]
        assert speech.t(f"option.{option.id}") in told
        assert speech.t("rulebook.usual") in told
        for value in variant.values_of(option):
            assert source(value.cited.citations, speech) in told, (option.id, value.value)
    for preset in variant.presets.values():
        assert sources()[preset.source].title in places[f"codificazione-{preset.id}"]


def source(citations: tuple[object, ...], speech: Words) -> str:
    if not citations:
        return speech.t("rulebook.why.house")
    return citations_in_words(map(str, citations), speech)


@pytest.mark.parametrize("name", variant_ids())
def test_every_problem_and_every_item_and_every_penalty_has_its_place(
    client: Client, name: str
) -> None:
    page, rules = client.get(f"/regole/{name}"), settle(name)
    here = {each["id"] for each in page.all() if each.has("id")}
    reported_here = set(get_variant(name).checks) - {BOUNDS_NOT_CHECKED}  # only without highspy
    assert {f"avviso-{code}" for code in reported_here} <= here
    assert {f"voce-{item}" for item in items_that_can_be(get_variant(name))} <= here
    assert {f"penalita-{each.code}" for each in irregularities(rules)} <= here
    assert {f"penalita-{code}" for code in rules.penalties} <= here
    assert {link["href"][1:] for link in page.all("a") if link["href"].startswith("#")} <= here


def items_that_can_be(variant: Variant) -> set[str]:
    """Every item that a line of the variant may stand for, whatever the table chose."""
    tables = [settle(variant.id)]
    for option in variant.options.values():
        for value in option.values:
            if not value.only_sides:
                tables.append(settle(variant.id, None, {option.id: value.value}))
    items = (set(variant.lines) & set(ITEMS)) - {"concealed-canasta"}
    for rules in tables:
        items.update(rules.items)
        items.update(kind.item for kind in rules.settings.incomplete if kind.item)
        items.update(kind.item for kind in rules.settings.held_together)
    return items


@pytest.mark.parametrize(("game", "key", "steps"), CASES["steps"])
def test_figures_of_several_steps_are_a_table(
    client: Client, game: str, key: str, steps: list[list[str]]
) -> None:
    table = client.get(f"/regole/{game}").one(id=f"regola-{key}").one("table", class_="steps")
    rows = table.one("tbody").all("tr")
    told = [[row.one("th").text, row.one("td").text] for row in rows]
    assert told[: len(steps)] == steps


@pytest.mark.parametrize("told", CASES["told"].values(), ids=CASES["told"])
def test_the_book_tells(client: Client, told: list[list[str]]) -> None:
    for game, place, text in told:
        assert text in rule(client.get(f"/regole/{game}"), place), (game, place)


@pytest.mark.parametrize(("game", "place", "text"), CASES["not_told"])
def test_the_book_does_not_tell_of_one_game_what_holds_in_another(
    client: Client, game: str, place: str, text: str
) -> None:
    assert text not in rule(client.get(f"/regole/{game}"), place)


def test_why_a_rule_is_so_is_folded_under_it_and_what_it_says_is_not(client: Client) -> None:
    page = client.get("/regole/classica")
    told = page.one(id="regola-concealed-canasta")
    folded = told.one("details")
    assert not folded.has("open")
    assert folded.one("summary").text.startswith("Fonte e altre regole")
    assert (
        "Una canasta nascosta vale 100 punti in più. Fonte: Regole tradotte dall'inglese"
        in folded.text
    )
    assert "Una canasta nascosta non vale niente in più." not in folded.text
    assert page.one(id="regola-meld-wilds-stay").one("summary").text == "Fonte : Le matte calate"


def test_what_is_no_rule_of_play_stands_at_the_end_folded(client: Client) -> None:
    page = client.get("/regole/classica")
    parts = page.all("details", class_="apart")
    assert [part.one("h2")["id"] for part in parts] == [
        "capitolo-lines", "capitolo-problems", "capitolo-choices", "capitolo-codifications", "capitolo-sources",
    ]  # fmt: skip
    assert not any(part.has("open") for part in parts)
    assert "voce-out" in {each["id"] for each in parts[0].all() if each.has("id")}


def test_a_page_can_be_asked_for_with_nothing_folded(client: Client) -> None:
    page = client.get("/regole/classica", query_string="preset=getty")
    url = page.links()["Apri tutte le fonti e le altre regole"]
    assert url == "/regole/classica?preset=getty&aperto=si"
    opened = client.get("/regole/classica", query_string="preset=getty&aperto=si")
    folds = opened.all("details", class_="because") + opened.all("details", class_="apart")
    assert len(folds) > 60
    assert all(fold.has("open") for fold in folds)
    assert opened.links()["Chiudi le fonti e le altre regole"] == "/regole/classica?preset=getty"


def test_what_the_table_agrees_on_says_so(client: Client) -> None:
    heads = client.get("/regole/classica").all("div", class_="at-head")
    (told,) = [head for head in heads if head.all(id="detto-table-agreement")]
    assert "Deciso al tavolo: le fonti non lo dicono." in told.text


def test_what_is_otherwise_than_in_the_classic_game_comes_first(client: Client) -> None:
    told = {}
    for row in changed(client.get("/regole/samba")):
        told[row.one("a")["href"]] = row.texts("dd")
    assert told["#regola-decks"] == ["3", "classica: 2"]
    assert told["#regola-target"] == ["10.000", "classica: 5.000"]
    assert "#regola-meld-wilds-stay" not in told
    assert changed(client.get("/regole/classica")) == []


def changed(page: Page) -> list[Element]:
    """The rules that are otherwise than in the classic game, as the page lists them."""
    return [row for listed in page.all("dl", class_="changed") for row in listed.all("div")]


@pytest.mark.parametrize("name", variant_ids())
def test_no_difference_reads_the_same(client: Client, name: str) -> None:
    for row in changed(client.get(f"/regole/{name}")):
        here, classic = (cell.text for cell in row.all("dd"))
        assert classic != f"classica: {here}"


def test_a_game_leads_to_a_match_of_it_with_so_many_players(client: Client) -> None:
    path, _, query = client.get("/regole/mini").links()["Gioca: 3 giocatori"].partition("?")
    assert "Canasta mini, 3 giocatori" in client.get(path, query_string=query).text


@pytest.mark.parametrize("name", variant_ids())
def test_a_page_with_every_rule_of_a_game_and_its_sources_weighs_no_more_than_sixteen_kilobytes(
    client: Client, name: str
) -> None:
    assert packed_size(client, f"/regole/{name}") <= 16 * KB


# ---------------------------------------------------------------- as a table plays it


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        *CASES["cannot_be_chosen"],
        ("classica?held-red-three=" + "x" * 5000, f"qui non può essere «{'x' * 40}»"),
    ],
)
def test_what_cannot_be_chosen_is_told_and_left_out(client: Client, asked: str, told: str) -> None:
    page = client.get(f"/regole/{asked}")
    assert told in page.one(class_="errors").text
    assert "Regole mostrate con" not in page.text


@pytest.mark.parametrize("name", variant_ids())
def test_what_a_choice_does_is_never_told_as_nothing(client: Client, name: str) -> None:
    speech = words("it")
    variant = get_variant(name)
    for option in variant.options.values():
        for value in variant.values_of(option):
            chosen = variant_with_choices(name, None, {option.id: value.value})
            for key, sets in value.sets.items():
                not_here = f"rulebook.say.{key}.not-here"
                if sets and sets != variant.settings[key].value and speech.has(not_here):
                    assert write_sentence(key, chosen, speech) != speech.t(not_here), key


@pytest.mark.parametrize(("game", "places"), CASES["absent"])
def test_where_a_rule_is_not_told_nothing_classic_stands_for_it(
    client: Client, game: str, places: list[str]
) -> None:
    assert not set(places) & by_place(client.get(f"/regole/{game}")).keys()


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("", "come di solito: sette o più"),
        ("?preset=giochi", "come da regolamento: sette e non di più"),
    ],
)
def test_under_a_codification_the_fields_say_whose_their_values_are(
    client: Client, asked: str, told: str
) -> None:
    page = client.get(f"/regole/classica{asked}")
    assert page.one("select", id="canasta-size").all("option")[0].text == told


# ---------------------------------------------------------------- side by side


def compared(client: Client, one: str, other: str) -> dict[str, list[str]]:
    page = client.get("/regole/confronta", query_string={"uno": one, "altro": other})
    rows = page.all("div", class_="rule")
    return {
        row.one("h3").text: [*(cell.text for cell in row.all("dd")), row.one("details").text]
        for row in rows
    }


@pytest.mark.parametrize(
    ("one", "other", "name", "cells"), CASES["compared"].values(), ids=CASES["compared"]
)
def test_two_games_are_compared(
    client: Client, one: str, other: str, name: str, cells: list[str]
) -> None:
    row = compared(client, one, other)[name]
    for cell, told in zip(row, cells, strict=False):
        assert told in cell


@pytest.mark.parametrize(("one", "other", "name"), CASES["same"])
def test_what_reads_the_same_in_both_is_no_difference_whoever_says_it(
    client: Client, one: str, other: str, name: str
) -> None:
    rows = compared(client, one, other)
    assert name not in rows
    assert all(here != there for here, there, _ in rows.values())


def test_a_rule_that_is_called_as_its_chapter_is_compared_too(visit: Visit) -> None:
    rows = compared(visit("en"), "due", "hand-and-foot")
    assert rows["Red threes"][:2] == ["100 each, all 4 together 800", "100 each"]


def test_two_codifications_are_compared(client: Client) -> None:
    rows = compared(client, "classica/wikipedia", "classica/enciclopedia")
    assert sorted(rows) == sorted(CASES["differ_in_the_encyclopedia"])
    assert "l'Enciclopedia" not in rows["Punteggio di apertura"][0]


def test_what_the_sources_say_beside_the_rules_is_compared_too(client: Client) -> None:
    page = client.get("/regole/confronta?uno=tre&altro=tagliagola")
    only = " ".join(fold.text for fold in page.all("details", class_="only"))
    for told in ("ognuno degli altri due segna per sé", "Ognuno segna i propri onori"):
        assert told in only
    rows = compared(client, "tre", "tagliagola").values()
    assert not any("ognuno degli altri due segna per sé" in " ".join(row) for row in rows)


def test_a_game_is_the_same_as_itself(client: Client) -> None:
    page = client.get("/regole/confronta", query_string={"uno": "samba", "altro": "samba"})
    assert "Tra questi due non cambia niente." in page.text


def test_the_menus_hold_the_games_and_those_of_a_game_its_texts(client: Client) -> None:
    page = client.get("/regole/confronta?uno=classica/getty&altro=samba")
    assert len(page.one("select", id="uno").all("option")) == len(variant_ids())
    assert page.one("select", id="uno-testo").one("option", selected="")["value"] == "getty"
    assert page.all("select", id="altro-testo") == []


@pytest.mark.parametrize(
    ("query", "heading"),
    [
        (
            "uno=classica&uno-testo=wikipedia&altro=classica&altro-testo=enciclopedia",
            "Canasta classica, Wikipedia e Canasta classica, Enciclopedia",
        ),
        ("uno=samba&uno-testo=getty&altro=classica", "Samba e Canasta classica"),
    ],
    ids=["two texts of a game", "the text of a game chosen before"],
)
def test_what_the_menus_send_is_compared(client: Client, query: str, heading: str) -> None:
    assert client.get(f"/regole/confronta?{query}").one("h1").text == heading


@pytest.mark.parametrize("wrong", ["bridge", "classica/hoyle", "samba/giochi", "x" * 3000])
def test_who_asks_for_a_game_that_is_not_there_is_told_so(client: Client, wrong: str) -> None:
    page = client.get("/regole/confronta", query_string={"uno": wrong, "altro": "samba"})
    assert "non è tra i giochi" in page.one(class_="errors").text


# ---------------------------------------------------------------- the words


@pytest.mark.parametrize("language", ["it", "en"])
def test_every_word_says_what_it_means_and_leads_to_its_chapter(
    visit: Visit, language: str
) -> None:
    client = visit(language)
    page = client.get("/regole/parole")
    assert not RAW.search(page.text)
    chapters = {each["id"] for each in client.get("/regole/classica").all("h2") if each.has("id")}
    links = [link["href"] for link in page.one(class_="glossary").all("a")]
    assert len(links) > 25
    assert {link.partition("#")[2] for link in links} <= chapters
