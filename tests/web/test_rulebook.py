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

KEY_IN_PLACE_OF_WORDS = re.compile(
    r"\b(?:rulebook|setting|value|option|read|problem|item|penalty|remedy|ruling|variant)\.[a-z0-9]"
)


def texts_by_id(page: Page) -> dict[str, str]:
    """What stands at every place of the page: the texts of elements by their ids."""
    return {element["id"]: element.text for element in page.all() if element.has("id")}


def text_of_place(page: Page, anchor: str) -> str:
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
    games = {game["href"]: game.text for game in client.get("/regole").all("a", class_="game")}
    assert "2, 3 o 4 giocatori, si arriva a 30" in games["/regole/mini"]
    assert "3 giocatori, si arriva a 7.500" in games["/regole/tagliagola"]
    assert "4 giocatori, 4 smazzate, vince il totale più alto" in games["/regole/hand-and-foot"]


def test_the_first_page_leads_to_the_blank_pads_of_every_game(client: Client) -> None:
    folded = client.get("/regole").one("details", class_="blanks")
    assert folded.one("summary").text == "Segnapunti in bianco da stampare (PDF)"
    assert folded.hrefs("a") == [f"/regole/{name}/segnapunti.pdf" for name in variant_ids()]


@pytest.mark.parametrize(
    ("old", "new"), [("/giochi", "/regole"), ("/giochi/samba", "/regole/samba")]
)
def test_the_old_addresses_of_the_games_lead_to_the_rulebook(
    client: Client, old: str, new: str
) -> None:
    answer = client.raw.get(old)
    assert answer.status_code == 308
    assert answer.location.endswith(new)


@pytest.mark.parametrize("name", ["bridge", "sources", "..%2Fclassica", "Samba"])
def test_a_game_that_is_not_there_is_not_found(client: Client, name: str) -> None:
    client.get(f"/regole/{name}", status=404)


# ---------------------------------------------------------------- a game in full


def test_every_setting_stands_in_one_chapter() -> None:
    settings_of_chapters = []
    for settings in CHAPTERS.values():
        settings_of_chapters += settings
    assert sorted(settings_of_chapters) == sorted(SETTING_KEYS)


def test_every_statement_stands_in_a_chapter_after_a_rule_of_it() -> None:
    for statement in load_statements().values():
        assert statement.section in CHAPTERS, statement.id
        if statement.after is not None:
            assert statement.after in CHAPTERS[statement.section], statement.id


@pytest.mark.quick(8)
@pytest.mark.parametrize("language", ["it", "en"])
@pytest.mark.parametrize("name", variant_ids())
def test_every_value_is_told_with_its_source(visit: Visit, name: str, language: str) -> None:
    page = visit(language).get(f"/regole/{name}")
    variant = get_variant(name)
    speech = words(language)
    settings_in_book = [key for key in SETTING_KEYS if in_book(key, variant, speech)]
    assert len(settings_in_book) > 40
    texts = texts_by_id(page)
    for key in settings_in_book:
        text = texts[f"regola-{key}"]
        cited = variant.settings[key].cited
        assert words_of_source(cited.citations, speech) in text, key
        if cited.read:  # how the sources were read where they leave room
            assert speech.t(f"read.{cited.read}") in text, key
        for note in cited.notes:
            assert note in text, key
    assert not KEY_IN_PLACE_OF_WORDS.search(page.text)
    assert not re.search(r"%\(|None\b", page.text)


@pytest.mark.quick(8)
@pytest.mark.parametrize("language", ["it", "en"])
@pytest.mark.parametrize("name", variant_ids())
def test_every_choice_of_the_table_is_told_with_its_source(
    visit: Visit, name: str, language: str
) -> None:
    texts = texts_by_id(visit(language).get(f"/regole/{name}?aperto=si"))
    variant = get_variant(name)
    speech = words(language)
    for option in variant.options.values():
        if (name, option.id) == ("cubana", "wild-on-canasta"):
            assert f"scelta-{option.id}" not in texts, "no meld grows beyond seven cards"
            continue
        text = texts[f"scelta-{option.id}"]
        assert speech.t(f"option.{option.id}") in text
        assert speech.t("rulebook.usual") in text
        for value in variant.values_of(option):
            source = words_of_source(value.cited.citations, speech)
            assert source in text, (option.id, value.value)
    for preset in variant.presets.values():
        assert sources()[preset.source].title in texts[f"codificazione-{preset.id}"]


def words_of_source(citations: tuple[object, ...], speech: Words) -> str:
    """How the sources of a value are named; of one without any, that it is of the house."""
    if not citations:
        return speech.t("rulebook.why.house")
    return citations_in_words(map(str, citations), speech)


@pytest.mark.parametrize("name", variant_ids())
def test_every_problem_and_every_item_and_every_penalty_has_its_place(
    client: Client, name: str
) -> None:
    """A place is the id of an element, to which links of other pages lead."""
    variant = get_variant(name)
    rules = settle(name)
    places = client.get(f"/regole/{name}").ids()

    for code in variant.checks:
        if code != BOUNDS_NOT_CHECKED:  # reported only without highspy
            assert f"avviso-{code}" in places
    for item in items_that_can_be(variant):
        assert f"voce-{item}" in places
    for irregularity in irregularities(rules):
        assert f"penalita-{irregularity.code}" in places
    for code in rules.penalties:
        assert f"penalita-{code}" in places


def items_that_can_be(variant: Variant) -> set[str]:
    """Every item that a line of the variant may stand for, whatever the table chose."""
    possible_rules = [settle(variant.id)]
    for option in variant.options.values():
        for value in option.values:
            if not value.only_sides:
                possible_rules.append(settle(variant.id, None, {option.id: value.value}))

    items = {line for line in variant.lines if line in ITEMS and line != "concealed-canasta"}
    for rules in possible_rules:
        items.update(rules.items)
        items.update(kind.item for kind in rules.settings.incomplete if kind.item)
        items.update(kind.item for kind in rules.settings.held_together)
    return items


@pytest.mark.parametrize(("game", "key", "steps"), CASES["steps"])
def test_figures_of_several_steps_are_a_table(
    client: Client, game: str, key: str, steps: list[list[str]]
) -> None:
    """For example the openings: 15 below zero, 50 from 0 on, and so on."""
    setting = client.get(f"/regole/{game}").one(id=f"regola-{key}")
    rows = setting.one("table", class_="steps").one("tbody").all("tr")
    shown_steps = [[row.one("th").text, row.one("td").text] for row in rows]
    assert shown_steps[: len(steps)] == steps


@pytest.mark.parametrize("passages", CASES["book_says"].values(), ids=CASES["book_says"])
def test_the_book_says(client: Client, passages: list[list[str]]) -> None:
    """A game, a place in its page, and a text that stands there."""
    for game, place, text in passages:
        page = client.get(f"/regole/{game}")
        assert text in text_of_place(page, place), (game, place)


@pytest.mark.parametrize(("game", "place", "text"), CASES["not_told"])
def test_the_book_does_not_tell_of_one_game_what_holds_in_another(
    client: Client, game: str, place: str, text: str
) -> None:
    assert text not in text_of_place(client.get(f"/regole/{game}"), place)


def test_why_a_rule_is_so_is_folded_under_it_and_what_it_says_is_not(client: Client) -> None:
    page = client.get("/regole/classica")
    folded = page.one(id="regola-concealed-canasta").one("details")
    other_rule = "Una canasta nascosta vale 100 punti in più. Fonte: Regole tradotte dall'inglese"

    assert not folded.has("open")
    assert folded.one("summary").text.startswith("Fonte e altre regole")
    assert other_rule in folded.text
    assert "Una canasta nascosta non vale niente in più." not in folded.text
    without_other_rules = page.one(id="regola-meld-wilds-stay").one("summary")
    assert without_other_rules.text == "Fonte : Le matte calate"


def test_what_is_no_rule_of_play_stands_at_the_end_folded(client: Client) -> None:
    folds = client.get("/regole/classica").all("details", class_="apart")
    assert [fold.one("h2")["id"] for fold in folds] == [
        "capitolo-lines",
        "capitolo-problems",
        "capitolo-choices",
        "capitolo-codifications",
        "capitolo-sources",
    ]
    assert not any(fold.has("open") for fold in folds)
    assert "voce-out" in folds[0].ids()


def test_a_page_can_be_asked_for_with_nothing_folded(client: Client) -> None:
    folded_url = "/regole/classica?preset=getty"
    open_url = "/regole/classica?preset=getty&aperto=si"

    folded_page = client.get("/regole/classica", query_string="preset=getty")
    open_page = client.get("/regole/classica", query_string="preset=getty&aperto=si")

    assert folded_page.links()["Apri tutte le fonti e le altre regole"] == open_url
    assert open_page.links()["Chiudi le fonti e le altre regole"] == folded_url
    folds = open_page.all("details", class_="because") + open_page.all("details", class_="apart")
    assert len(folds) > 60
    assert all(fold.has("open") for fold in folds)


def test_what_the_table_agrees_on_says_so(client: Client) -> None:
    heads = client.get("/regole/classica").all("div", class_="at-head")
    (head,) = [head for head in heads if "detto-table-agreement" in head.ids()]
    assert "Deciso al tavolo: le fonti non lo dicono." in head.text


def test_what_is_otherwise_than_in_the_classic_game_comes_first(client: Client) -> None:
    differences = {}
    for row in rows_of_differences(client.get("/regole/samba")):
        differences[row.one("a")["href"]] = row.texts("dd")
    assert differences["#regola-decks"] == ["3", "classica: 2"]
    assert differences["#regola-target"] == ["10.000", "classica: 5.000"]
    assert "#regola-meld-wilds-stay" not in differences, "the same in both"
    assert rows_of_differences(client.get("/regole/classica")) == []


def rows_of_differences(page: Page) -> list[Element]:
    """The rules that are otherwise than in the classic game, as the page lists them."""
    rows = []
    for table in page.all("dl", class_="changed"):
        rows += table.all("div")
    return rows


@pytest.mark.parametrize("name", variant_ids())
def test_no_difference_reads_the_same(client: Client, name: str) -> None:
    for row in rows_of_differences(client.get(f"/regole/{name}")):
        here, in_classica = row.texts("dd")
        assert in_classica != f"classica: {here}"


def test_a_game_leads_to_a_match_of_it_with_so_many_players(client: Client) -> None:
    link = client.get("/regole/mini").links()["Gioca: 3 giocatori"]
    assert "Canasta mini, 3 giocatori" in client.get(link).text


@pytest.mark.parametrize("name", variant_ids())
def test_a_page_with_every_rule_of_a_game_and_its_sources_weighs_no_more_than_sixteen_kilobytes(
    client: Client, name: str
) -> None:
    assert packed_size(client, f"/regole/{name}") <= 16 * KB


# ---------------------------------------------------------------- as a table plays it


@pytest.mark.parametrize(
    ("address", "error"),
    [
        *CASES["cannot_be_chosen"],
        ("classica?held-red-three=" + "x" * 5000, f"qui non può essere «{'x' * 40}»"),
    ],
)
def test_what_cannot_be_chosen_is_told_and_left_out(
    client: Client, address: str, error: str
) -> None:
    page = client.get(f"/regole/{address}")
    assert error in page.one(class_="errors").text
    assert "Regole mostrate con" not in page.text


@pytest.mark.parametrize("name", variant_ids())
def test_what_a_choice_does_is_never_told_as_nothing(client: Client, name: str) -> None:
    """Where a choice of the table brings a rule, its sentence is not the one that there is none."""
    speech = words("it")
    variant = get_variant(name)
    for option in variant.options.values():
        for choice in variant.values_of(option):
            chosen = variant_with_choices(name, None, {option.id: choice.value})
            for key, new_value in choice.sets.items():
                is_no_change = new_value == variant.settings[key].value
                no_such_rule = f"rulebook.say.{key}.not-here"
                if new_value and not is_no_change and speech.has(no_such_rule):
                    assert write_sentence(key, chosen, speech) != speech.t(no_such_rule), key


@pytest.mark.parametrize(("game", "places"), CASES["absent"])
def test_where_a_rule_is_not_told_nothing_classic_stands_for_it(
    client: Client, game: str, places: list[str]
) -> None:
    """For example how a pile is taken otherwise, in games where it is always frozen."""
    ids = client.get(f"/regole/{game}").ids()
    for place in places:
        assert place not in ids


@pytest.mark.parametrize(
    ("query", "first_option"),
    [
        ("", "come di solito: sette o più"),
        ("?preset=giochi", "come da regolamento: sette e non di più"),
    ],
)
def test_under_a_codification_the_fields_say_whose_their_values_are(
    client: Client, query: str, first_option: str
) -> None:
    page = client.get(f"/regole/classica{query}")
    assert page.one("select", id="canasta-size").texts("option")[0] == first_option


# ---------------------------------------------------------------- side by side


def compared_rules(client: Client, one: str, other: str) -> dict[str, list[str]]:
    """The rules that differ between two games: the name of each with what holds in the one, what
    holds in the other, and the sources.
    """
    page = client.get("/regole/confronta", query_string={"uno": one, "altro": other})
    rules = {}
    for row in page.all("div", class_="rule"):
        rules[row.one("h3").text] = [*row.texts("dd"), row.one("details").text]
    return rules


@pytest.mark.parametrize(
    ("one", "other", "rule", "expected_texts"), CASES["compared"].values(), ids=CASES["compared"]
)
def test_two_games_are_compared(
    client: Client, one: str, other: str, rule: str, expected_texts: list[str]
) -> None:
    """The texts of a rule: in the one game, in the other, and in the fold with the sources."""
    texts = compared_rules(client, one, other)[rule]
    for text, expected in zip(texts, expected_texts, strict=False):
        assert expected in text


@pytest.mark.parametrize(("one", "other", "rule"), CASES["same"])
def test_what_reads_the_same_in_both_is_no_difference_whoever_says_it(
    client: Client, one: str, other: str, rule: str
) -> None:
    """For example who cuts, in classica and samba."""
    rules = compared_rules(client, one, other)
    assert rule not in rules
    for in_one, in_other, _sources in rules.values():
        assert in_one != in_other


def test_a_rule_that_is_called_as_its_chapter_is_compared_too(visit: Visit) -> None:
    rules = compared_rules(visit("en"), "due", "hand-and-foot")
    in_due, in_hand_and_foot, _sources = rules["Red threes"]
    assert in_due == "100 each, all 4 together 800"
    assert in_hand_and_foot == "100 each"


def test_two_codifications_are_compared(client: Client) -> None:
    rules = compared_rules(client, "classica/wikipedia", "classica/enciclopedia")
    assert sorted(rules) == sorted(CASES["differ_in_the_encyclopedia"])
    assert "l'Enciclopedia" not in rules["Punteggio di apertura"][0]


def test_what_the_sources_say_beside_the_rules_is_compared_too(client: Client) -> None:
    in_tre = "ognuno degli altri due segna per sé"
    in_tagliagola = "Ognuno segna i propri onori"

    page = client.get("/regole/confronta?uno=tre&altro=tagliagola")
    only_in_one = " ".join(page.texts("details", class_="only"))
    rules = " ".join(page.texts("div", class_="rule"))

    assert in_tre in only_in_one
    assert in_tagliagola in only_in_one
    assert in_tre not in rules


def test_a_game_is_the_same_as_itself(client: Client) -> None:
    page = client.get("/regole/confronta", query_string={"uno": "samba", "altro": "samba"})
    assert "Tra questi due non cambia niente." in page.text


def test_the_menus_hold_the_games_and_those_of_a_game_its_texts(client: Client) -> None:
    page = client.get("/regole/confronta?uno=classica/getty&altro=samba")
    assert len(page.one("select", id="uno").all("option")) == len(variant_ids())
    chosen_text = page.one("select", id="uno-testo").one("option", selected="")
    assert chosen_text["value"] == "getty"
    assert page.all("select", id="altro-testo") == [], "samba has one text"


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
    assert client.get(f"/regole/confronta?{query}").heading == heading


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
    chapters = client.get("/regole/classica").ids()

    page = client.get("/regole/parole")

    assert not KEY_IN_PLACE_OF_WORDS.search(page.text)
    links = page.one(class_="glossary").all("a")
    assert len(links) > 25
    for link in links:
        _, _, chapter = link["href"].partition("#")
        assert chapter in chapters
