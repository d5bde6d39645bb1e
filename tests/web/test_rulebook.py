"""The rulebook: every game in full on its page, each rule with its source, the choices of a table,
two games compared, and a glossary.

A game is a variant of canasta, such as samba. A setting is one of its rules: `opening-steps` are
the points that an opening needs. An option is a choice of the table, which changes settings, and a
preset is the rules of one source, such as an encyclopedia. Each has an anchor on the page of the
game: `regola-…` is that of a setting, `scelta-…` of an option, `voce-…` of a line of the score,
`penalita-…` of a penalty and `avviso-…` of a problem that the pad reports.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from scorepad.i18n import Words, words
from scorepad.i18n.rule_sentences import CHAPTERS, write_sentence
from scorepad.referee.penalties import irregularities
from scorepad.rules.definitions import SETTING_KEYS, Choices, Variant
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
"""The key of a text, such as `setting.decks`, which is shown if the text is missing."""


def texts_by_id(page: Page) -> dict[str, str]:
    """Return the text of every element that has an id."""
    return {element["id"]: element.text for element in page.all() if element.has("id")}


def text_of_place(page: Page, anchor: str) -> str:
    return page.one(id=anchor).text


# ---------------------------------------------------------------- the first page


@pytest.mark.parametrize("language", ["it", "en"])
def test_first_page_describes_every_game(visit: Visit, language: str) -> None:
    speech = words(language)
    games = visit(language).get("/regole").all("a", class_="game")

    # Each begins with its name, such as "Samba", and ends with what is special about it.
    for name, game in zip(variant_ids(), games, strict=True):
        assert game["href"] == f"/regole/{name}"
        assert game.text.startswith(speech.t(f"variant.{name}.name"))
        assert game.text.endswith(speech.t(f"variant.{name}.special"))


def test_first_page_shows_players_and_target(client: Client) -> None:
    page = client.get("/regole")
    games = {game["href"]: game.text for game in page.all("a", class_="game")}

    # "2, 3 or 4 players, up to 30 points"
    assert "2, 3 o 4 giocatori, si arriva a 30" in games["/regole/mini"]
    assert "3 giocatori, si arriva a 7.500" in games["/regole/tagliagola"]
    # "4 hands, the highest total wins"
    assert "4 giocatori, 4 smazzate, vince il totale più alto" in games["/regole/hand-and-foot"]


def test_first_page_links_to_blank_pads(client: Client) -> None:
    # There is a part to unfold, "Blank pads to print", with a link for each game.
    folded = client.get("/regole").one("details", class_="blanks")
    assert folded.one("summary").text == "Segnapunti in bianco da stampare (PDF)"
    assert folded.hrefs("a") == [f"/regole/{name}/segnapunti.pdf" for name in variant_ids()]


@pytest.mark.parametrize(
    ("old", "new"), [("/giochi", "/regole"), ("/giochi/samba", "/regole/samba")]
)
def test_old_address_redirects_to_the_rulebook(client: Client, old: str, new: str) -> None:
    answer = client.raw.get(old)
    assert answer.status_code == 308
    assert answer.location.endswith(new)


@pytest.mark.parametrize("name", ["bridge", "sources", "..%2Fclassica", "Samba"])
def test_unknown_game_is_not_found(client: Client, name: str) -> None:
    client.get(f"/regole/{name}", status=404)


# ---------------------------------------------------------------- a game in full


def test_every_setting_is_in_one_chapter() -> None:
    settings_in_chapters = []
    for settings in CHAPTERS.values():
        settings_in_chapters += settings

    # None is missing, and none is in two chapters.
    assert sorted(settings_in_chapters) == sorted(SETTING_KEYS)


def test_every_statement_follows_a_rule_of_its_chapter() -> None:
    # A statement is what the sources say beside the settings. It stands after one of them, or at
    # the beginning of the chapter.
    for statement in load_statements().values():
        assert statement.section in CHAPTERS, statement.id
        if statement.after is not None:
            assert statement.after in CHAPTERS[statement.section], statement.id


@pytest.mark.quick(8)
@pytest.mark.parametrize("language", ["it", "en"])
@pytest.mark.parametrize("name", variant_ids())
def test_every_setting_is_shown_with_its_source(visit: Visit, name: str, language: str) -> None:
    page = visit(language).get(f"/regole/{name}")
    variant = get_variant(name)
    speech = words(language)

    # Settings that mean nothing in this game are left out.
    settings_in_book = [key for key in SETTING_KEYS if in_book(key, variant, speech)]
    assert len(settings_in_book) > 40

    texts = texts_by_id(page)
    for key in settings_in_book:
        text = texts[f"regola-{key}"]
        cited = variant.settings[key].cited
        assert words_of_source(cited.citations, speech) in text, key
        # Where the sources leave room, the page says how they were read.
        if cited.read:
            assert speech.t(f"read.{cited.read}") in text, key
        for note in cited.notes:
            assert note in text, key

    # No text is missing, and none has a placeholder or None in it.
    assert not KEY_IN_PLACE_OF_WORDS.search(page.text)
    assert not re.search(r"%\(|None\b", page.text)


@pytest.mark.quick(8)
@pytest.mark.parametrize("language", ["it", "en"])
@pytest.mark.parametrize("name", variant_ids())
def test_every_option_is_shown_with_its_sources(visit: Visit, name: str, language: str) -> None:
    # The page is shown with everything unfolded ("aperto=si").
    texts = texts_by_id(visit(language).get(f"/regole/{name}?aperto=si"))
    variant = get_variant(name)
    speech = words(language)

    # In cubana no meld grows beyond seven cards. So there is no choice whether a wild card may be
    # added to a complete canasta.
    options = dict(variant.options)
    if name == "cubana":
        del options["wild-on-canasta"]
        assert "scelta-wild-on-canasta" not in texts

    # At `scelta-…` ("choice") stands an option, with its usual value and the source of every value.
    for option in options.values():
        text = texts[f"scelta-{option.id}"]
        assert speech.t(f"option.{option.id}") in text
        assert speech.t("rulebook.usual") in text
        for value in variant.values_of(option):
            source = words_of_source(value.cited.citations, speech)
            assert source in text, (option.id, value.value)

    # At `codificazione-…` stands a preset: the rules as one source has them.
    for preset in variant.presets.values():
        assert sources()[preset.source].title in texts[f"codificazione-{preset.id}"]


def words_of_source(citations: tuple[object, ...], speech: Words) -> str:
    """Return how the page names the sources of a value. One without sources is a house rule."""
    if not citations:
        return speech.t("rulebook.why.house")
    return citations_in_words(map(str, citations), speech)


@pytest.mark.parametrize("name", variant_ids())
def test_every_problem_score_line_and_penalty_has_an_anchor(client: Client, name: str) -> None:
    variant = get_variant(name)
    rules = settle(name)

    # The pages of a match and of the referee link to these places.
    anchors = client.get(f"/regole/{name}").ids()

    for code in variant.checks:
        if code != BOUNDS_NOT_CHECKED:  # reported only where the library highspy is missing
            assert f"avviso-{code}" in anchors
    for item in possible_items(variant):
        assert f"voce-{item}" in anchors
    for irregularity in irregularities(rules):
        assert f"penalita-{irregularity.code}" in anchors
    for code in rules.penalties:
        assert f"penalita-{code}" in anchors


def possible_items(variant: Variant) -> set[str]:
    """Return the items that lines of the score may count, such as `natural-canasta`.

    They are those of the game as it is, and with any value of any option.
    """
    possible_rules = [settle(variant.id)]
    for option in variant.options.values():
        for value in option.values:
            if not value.only_sides:  # otherwise it is only for another number of sides
                choice = {option.id: value.value}
                possible_rules.append(settle(variant.id, None, choice))

    # The lines that the game has a rule for. That of concealed canastas counts only where a choice
    # gives them points, and then is among the items of those rules.
    items = set(variant.lines).intersection(ITEMS)
    items.discard("concealed-canasta")
    for rules in possible_rules:
        items.update(rules.items)
        # Canastas that are not complete may cost points, and so may cards that one player holds.
        items.update(kind.item for kind in rules.settings.incomplete if kind.item)
        items.update(kind.item for kind in rules.settings.held_together)
    return items


@pytest.mark.parametrize(("game", "key", "steps"), CASES["steps"])
def test_setting_with_steps_is_shown_as_table(
    client: Client, game: str, key: str, steps: list[list[str]]
) -> None:
    # One setting is `opening-steps`, the points that an opening takes by the score of the side. Its
    # first steps are "sotto zero" (below zero) 15, and from 0 on 50.
    setting = client.get(f"/regole/{game}").one(id=f"regola-{key}")
    rows = setting.one("table", class_="steps").one("tbody").all("tr")

    # Some cases have only the first steps.
    shown_steps = [row.texts("th", "td") for row in rows]
    assert shown_steps[: len(steps)] == steps


@pytest.mark.parametrize("passages", CASES["book_says"].values(), ids=CASES["book_says"])
def test_page_of_game_contains_texts(client: Client, passages: list[list[str]]) -> None:
    # One case is "the decks, with their cards and jokers". At the place `regola-decks` of samba
    # stands "3 decks of French cards, 162 cards in all, with 6 jokers".
    for game, place, text in passages:
        page = client.get(f"/regole/{game}")
        assert text in text_of_place(page, place), (game, place)


@pytest.mark.parametrize(("game", "place", "text"), CASES["not_told"])
def test_page_of_game_does_not_contain_rules_of_others(
    client: Client, game: str, place: str, text: str
) -> None:
    # A place is the id of an element. One is `penalita-meld-out-of-turn-partner`, a penalty. In
    # games for two it says "senza un compagno" (without a partner), and in classica it does not.
    page = client.get(f"/regole/{game}")

    assert text not in text_of_place(page, place)


def test_source_of_a_rule_is_folded_and_its_text_is_not(client: Client) -> None:
    # "Source and other rules" can be unfolded.
    page = client.get("/regole/classica")
    folded = page.one(id="regola-concealed-canasta").one("details")
    assert not folded.has("open")
    assert folded.one("summary").text.startswith("Fonte e altre regole")

    # In it is that by another source "a concealed canasta has 100 points more".
    other_rule = "Una canasta nascosta vale 100 punti in più. Fonte: Regole tradotte dall'inglese"
    assert other_rule in folded.text

    # The rule of this game, "a concealed canasta has nothing more", is not in it.
    rule = "Una canasta nascosta non vale niente in più."
    assert rule not in folded.text


def test_source_of_a_rule_without_alternatives_is_folded(client: Client) -> None:
    rule = client.get("/regole/classica").one(id="regola-meld-wilds-stay")
    # "Source", with the name of the rule for screen readers: "Wild cards that are laid".
    assert rule.one("summary").text == "Fonte : Le matte calate"


def test_chapters_at_the_end_are_folded(client: Client) -> None:
    folds = client.get("/regole/classica").all("details", class_="apart")

    # The lines of the score, the problems that the pad reports, the choices of a table, the presets
    # and the sources.
    assert [fold.one("h2")["id"] for fold in folds] == [
        "capitolo-lines",
        "capitolo-problems",
        "capitolo-choices",
        "capitolo-codifications",
        "capitolo-sources",
    ]
    for fold in folds:
        assert not fold.has("open")
    assert "voce-out" in folds[0].ids(), (
        "the first one has the lines of the score, such as that of going out"
    )


def test_page_can_be_shown_with_everything_unfolded(client: Client) -> None:
    folded_url = "/regole/classica?preset=getty"
    open_url = "/regole/classica?preset=getty&aperto=si"

    # The link "Open all sources and other rules" leads to the page unfolded.
    folded_page = client.get(folded_url)
    assert folded_page.links()["Apri tutte le fonti e le altre regole"] == open_url

    # "Close the sources and other rules" leads back.
    open_page = client.get(open_url)
    assert open_page.links()["Chiudi le fonti e le altre regole"] == folded_url

    # The sources of each rule and the chapters at the end are unfolded.
    folds = open_page.all("details", class_="because") + open_page.all("details", class_="apart")
    assert len(folds) > 60
    for fold in folds:
        assert fold.has("open")


def test_rule_agreed_at_the_table_says_so(client: Client) -> None:
    # At the head of a chapter stands what a table may agree on.
    heads = client.get("/regole/classica").all("div", class_="at-head")
    head = next(head for head in heads if "detto-table-agreement" in head.ids())

    # "Decided at the table, the sources do not say it."
    assert "Deciso al tavolo: le fonti non lo dicono." in head.text


def test_differences_from_classica_are_listed(client: Client) -> None:
    # Samba has three decks where classica has two, and another target.
    differences = {}
    for row in rows_of_differences(client.get("/regole/samba")):
        differences[row.one("a")["href"]] = row.texts("dd")
    assert differences["#regola-decks"] == ["3", "classica: 2"]
    assert differences["#regola-target"] == ["10.000", "classica: 5.000"]

    # That wild cards stay where they are laid is the same in both.
    assert "#regola-meld-wilds-stay" not in differences

    assert rows_of_differences(client.get("/regole/classica")) == []


def rows_of_differences(page: Page) -> list[Element]:
    """Return the rules that differ from those of classica, as the page lists them."""
    rows = []
    for table in page.all("dl", class_="changed"):
        rows += table.all("div")
    return rows


@pytest.mark.parametrize("name", variant_ids())
def test_listed_differences_differ_in_words(client: Client, name: str) -> None:
    # The page of a game lists its rules that differ from those of classica: "3" decks of cards, and
    # beside it "classica: 2". Two rules in the same words would be listed in vain.
    page = client.get(f"/regole/{name}")
    for row in rows_of_differences(page):
        here, in_classica = row.texts("dd")
        assert in_classica != f"classica: {here}"


def test_game_links_to_a_new_match_with_its_players(client: Client) -> None:
    # Mini is for two, three or four. The link "Play, 3 players" is followed.
    link = client.get("/regole/mini").links()["Gioca: 3 giocatori"]
    assert "Canasta mini, 3 giocatori" in client.get(link).text


@pytest.mark.parametrize("name", variant_ids())
def test_page_of_game_is_at_most_16_kb_compressed(client: Client, name: str) -> None:
    assert packed_size(client, f"/regole/{name}") <= 16 * KB


# ---------------------------------------------------------------- as a table plays it


@pytest.mark.parametrize(
    ("address", "error"),
    [
        *CASES["cannot_be_chosen"],
        ("classica?held-red-three=" + "x" * 5000, f"qui non può essere «{'x' * 40}»"),
    ],
)
def test_invalid_choice_is_reported_and_ignored(client: Client, address: str, error: str) -> None:
    # Such as a preset "hoyle", which is not there, or a target of -500.
    page = client.get(f"/regole/{address}")

    assert error in page.one(class_="errors").text
    assert "Regole mostrate con" not in page.text  # "Rules shown with" these choices


@pytest.mark.parametrize("name", variant_ids())
def test_option_that_brings_a_rule_is_not_described_as_no_rule(client: Client, name: str) -> None:
    # Of some rules the rulebook says in a sentence of its own, `….not-here`, that a game lacks them.
    # It must not say so where an option brings the rule.
    speech = words("it")
    for choice, setting in choices_that_may_bring_a_rule(get_variant(name)):
        sentence_of_no_rule = f"rulebook.say.{setting}.not-here"
        if speech.has(sentence_of_no_rule):
            chosen = variant_with_choices(name, None, choice)
            sentence = write_sentence(setting, chosen, speech)
            assert sentence != speech.t(sentence_of_no_rule), choice


def choices_that_may_bring_a_rule(variant: Variant) -> Iterator[tuple[Choices, str]]:
    """Yield every choice that sets another value than the game has, with the name of the setting."""
    for option in variant.options.values():
        for value in variant.values_of(option):
            for setting, new_value in value.sets.items():
                if new_value and new_value != variant.settings[setting].value:
                    yield {option.id: value.value}, setting


@pytest.mark.parametrize(("game", "places"), CASES["absent"])
def test_rule_that_a_game_lacks_is_left_out(client: Client, game: str, places: list[str]) -> None:
    # One place is `regola-pile-layoff`, how a pile is taken by laying off its top card. In cubana
    # the pile is always frozen, and never taken so.
    ids = client.get(f"/regole/{game}").ids()
    for place in places:
        assert place not in ids


@pytest.mark.parametrize(
    ("query", "first_option"),
    [
        ("", "come di solito: sette o più"),  # "as usual, seven or more"
        # "as in the rulebook, exactly seven"
        ("?preset=giochi", "come da regolamento: sette e non di più"),
    ],
)
def test_first_choice_of_a_field_says_whose_value_it_is(
    client: Client, query: str, first_option: str
) -> None:
    page = client.get(f"/regole/classica{query}")
    field = page.one("select", id="canasta-size")  # how many cards a canasta has
    assert field.texts("option")[0] == first_option


# ---------------------------------------------------------------- side by side


def compared_rules(client: Client, one: str, other: str) -> dict[str, list[str]]:
    """Compare two games, and return the rules that differ, by their names.

    Of each rule there is what holds in the one game, what holds in the other, and the sources.
    """
    page = client.get("/regole/confronta", query_string={"uno": one, "altro": other})
    rules = {}
    for row in page.all("div", class_="rule"):
        rules[row.one("h3").text] = [*row.texts("dd"), row.one("details").text]
    return rules


@pytest.mark.parametrize(
    ("one", "other", "rule", "expected_texts"), CASES["compared"].values(), ids=CASES["compared"]
)
def test_comparison_shows_both_rules_and_their_sources(
    client: Client, one: str, other: str, rule: str, expected_texts: list[str]
) -> None:
    # One case compares the decks ("Mazzi"). Classica has 2, samba has 3, and the source of that is
    # Wikipedia.
    texts = compared_rules(client, one, other)[rule]

    # Expected is a text for the one game, one for the other, and in most cases one for the sources.
    for text, expected_text in zip(texts, expected_texts, strict=False):
        assert expected_text in text


@pytest.mark.parametrize(("one", "other", "rule"), CASES["same"])
def test_comparison_leaves_out_rules_with_the_same_words(
    client: Client, one: str, other: str, rule: str
) -> None:
    # One rule is "Chi taglia" (who cuts the cards), which is the same in classica and samba.
    rules = compared_rules(client, one, other)

    assert rule not in rules
    for in_one, in_other, _sources in rules.values():
        assert in_one != in_other


def test_comparison_includes_rule_named_like_its_chapter(visit: Visit) -> None:
    # The chapter of red threes has a rule "Red threes" too, about their points.
    rules = compared_rules(visit("en"), "due", "hand-and-foot")

    in_due, in_hand_and_foot, _sources = rules["Red threes"]
    assert in_due == "100 each, all 4 together 800"
    assert in_hand_and_foot == "100 each"


def test_comparison_of_two_presets(client: Client) -> None:
    # The rules of classica by Wikipedia are compared with those of the Enciclopedia.
    rules = compared_rules(client, "classica/wikipedia", "classica/enciclopedia")
    assert sorted(rules) == sorted(CASES["differ_in_the_encyclopedia"])

    # A note on what the Enciclopedia leaves out of the openings stands beside its own rule only.
    by_wikipedia = rules["Punteggio di apertura"][0]
    assert "l'Enciclopedia" not in by_wikipedia


def test_comparison_includes_statements(client: Client) -> None:
    # A statement is what the sources say beside the settings. Both of these are of one game only:
    # "each of the other two scores for themselves", and "everybody scores their own red threes".
    statement_of_tre = "ognuno degli altri due segna per sé"
    statement_of_tagliagola = "Ognuno segna i propri onori"

    page = client.get("/regole/confronta?uno=tre&altro=tagliagola")
    only_in_one_game = " ".join(page.texts("details", class_="only"))
    differing_rules = " ".join(page.texts("div", class_="rule"))

    # They are listed apart from the rules that both games have.
    assert statement_of_tre in only_in_one_game
    assert statement_of_tagliagola in only_in_one_game
    assert statement_of_tre not in differing_rules


def test_comparison_of_a_game_with_itself_is_empty(client: Client) -> None:
    page = client.get("/regole/confronta", query_string={"uno": "samba", "altro": "samba"})
    assert "Tra questi due non cambia niente." in page.text  # "Nothing differs between these two."


def test_menus_of_comparison_list_games_and_presets(client: Client) -> None:
    # The preset getty of classica is compared with samba.
    page = client.get("/regole/confronta?uno=classica/getty&altro=samba")

    # A menu lists all games, and another one the presets of the game that is chosen.
    assert len(page.one("select", id="uno").all("option")) == len(variant_ids())
    chosen_preset = page.one("select", id="uno-testo").one("option", selected="")
    assert chosen_preset["value"] == "getty"
    assert page.all("select", id="altro-testo") == [], "samba has no presets"


@pytest.mark.parametrize(
    ("query", "heading"),
    [
        (
            "uno=classica&uno-testo=wikipedia&altro=classica&altro-testo=enciclopedia",
            "Canasta classica, Wikipedia e Canasta classica, Enciclopedia",
        ),
        ("uno=samba&uno-testo=getty&altro=classica", "Samba e Canasta classica"),
    ],
    ids=["two presets of a game", "a preset of the game chosen before is ignored"],
)
def test_choice_of_the_menus_is_compared(client: Client, query: str, heading: str) -> None:
    assert client.get(f"/regole/confronta?{query}").heading == heading


@pytest.mark.parametrize("wrong", ["bridge", "classica/hoyle", "samba/giochi", "x" * 3000])
def test_comparison_reports_unknown_game(client: Client, wrong: str) -> None:
    page = client.get("/regole/confronta", query_string={"uno": wrong, "altro": "samba"})
    assert "non è tra i giochi" in page.one(class_="errors").text  # "is not among the games"


# ---------------------------------------------------------------- the words


@pytest.mark.parametrize("language", ["it", "en"])
def test_words_of_glossary_link_to_chapters(visit: Visit, language: str) -> None:
    client = visit(language)
    chapters = client.get("/regole/classica").ids()

    page = client.get("/regole/parole")

    assert not KEY_IN_PLACE_OF_WORDS.search(page.text)

    # A word such as "canasta" links to the chapter of the rules that is about it.
    links = page.one(class_="glossary").all("a")
    assert len(links) > 25
    for link in links:
        _page, chapter = link["href"].split("#")
        assert chapter in chapters
