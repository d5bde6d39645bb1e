"""Rules cards: a variant's figures on one page."""

from io import BytesIO
from typing import Any

import pytest
from pypdf import PdfReader

from scorepad.i18n import words
from scorepad.rules.variants import variant_ids
from scorepad.sheets.rules_card import QUESTIONS_ON_CARD, RulesCard, make_rules_card
from tests.data import read_data
from tests.examples import in_full
from tests.sheets.reading import embedded_by_font, font_sizes, read_text, text_by_page

FIGURES = read_data("sheets/figures.toml")
LONG_CARDS = ("moderna", "hand-and-foot", "canastone", "cubana")


@pytest.mark.quick(2)
@pytest.mark.parametrize("name", variant_ids())
def test_every_variant_fits_on_one_page(name: str) -> None:
    pdf = make_rules_card(name, words("it"))

    sheet = PdfReader(BytesIO(pdf))
    (page,) = sheet.pages
    assert [round(float(side)) for side in page.mediabox] == [0, 0, 595, 842]
    text = read_text(sheet)
    contents = card(name)
    assert contents.name in text
    assert f"Fonti: {contents.own_sources[0]}" in text, "the foot is on the page"
    for fact in list_facts(contents):
        assert flat(fact.name) in text
        assert flat(fact.value) in text, "a word is broken"
    assert len(contents.questions) == QUESTIONS_ON_CARD
    assert min(font_sizes(pdf)) >= 7.9, "points: the foot; the rules have nine at least"


@pytest.mark.long
def test_with_every_option_it_is_still_one_page() -> None:
    chosen = {"dirty-escalera": True, "red-threes-may-be-kept": True, "black-three-canasta": True}
    sheet = PdfReader(BytesIO(make_rules_card("bolivia", words("en"), None, chosen)))
    assert len(sheet.pages) == 1
    assert all(embedded_by_font(sheet).values())
    assert sheet.trailer["/Root"]["/Lang"] == "en"


def flat(text: str) -> str:
    """A text with single spaces, as it is read from a page."""
    return " ".join(text.split())


def card(name: str, preset: str | None = None, language: str = "it") -> RulesCard:
    return RulesCard(name, words(language), preset, None)


def list_facts(contents: RulesCard) -> list[Any]:
    """Everything on a card that has a name and a value."""
    return [
        *contents.basics,
        *contents.openings,
        *contents.cards,
        *contents.bonuses,
        *contents.penalties,
        *contents.questions,
    ]


def values_by_name(contents: RulesCard) -> dict[str, str]:
    return {fact.name: fact.value for fact in list_facts(contents)}


@pytest.mark.parametrize("game", FIGURES["card"])
def test_it_has_the_figures_of_the_game_and_of_the_table(game: str) -> None:
    name, _, preset = game.partition(" ")
    values = values_by_name(card(name, preset or None))
    for fact, expected in FIGURES["card"][game].items():
        assert values.get(fact, "") == expected


def test_it_answers_what_people_ask_as_the_rulebook_does() -> None:
    answers = values_by_name(card("classica"))
    assert answers["Quante carte e quante matte in una combinazione?"] == (
        "Una combinazione ha almeno 3 carte. Una canasta è una combinazione di almeno 7 carte. "
        "In una combinazione ci sono almeno 2 carte naturali. In una combinazione ci sono al massimo 3 matte. "
        "Le matte non si calano mai da sole."
    )
    assert answers["Si chiede il permesso al compagno?"].startswith(
        "Prima di chiudere si può chiedere il permesso"
    )


@pytest.mark.quick(2)
@pytest.mark.parametrize("name", [*LONG_CARDS, *in_full(*sorted({*variant_ids()} - {*LONG_CARDS}))])
def test_in_large_print_a_list_stands_with_its_heading_and_an_answer_with_its_question(
    name: str,
) -> None:
    pages = text_by_page(make_rules_card(name, words("it"), large=True))
    contents = card(name)
    lists = {
        "Le penalità": contents.penalties,
        "Premi e punti in meno": contents.bonuses,
        "Valore delle carte": contents.cards,
    }
    for heading, facts in lists.items():
        if facts:
            last = flat(facts[-1].name)
            assert any(heading in page and last in page for page in pages), heading
    for question in contents.questions:
        whole = f"{flat(question.name)} {flat(question.value)}"
        assert any(whole in page for page in pages), question.name


def test_in_large_print_it_has_players_decks_and_target_on_top_and_its_sources_at_the_end() -> None:
    pages = text_by_page(make_rules_card("classica", words("it"), large=True))
    assert 2 <= len(pages) <= 4
    text = " ".join(pages)
    basics = (
        "Giocatori 2 contro 2 · Mazzi 2 · Carte distribuite 11 · Carte pescate 1 · Traguardo 5.000"
    )
    assert 0 < text.index(basics) < text.index("Le domande di sempre") < text.index("Fonti: ")


def test_it_answers_in_english() -> None:
    answers = values_by_name(card("classica", language="en"))
    assert answers["What if the stock runs out?"].startswith("When the stock runs out play goes on")


def test_the_foot_lists_the_sources_of_the_game_and_those_of_the_classic_game_apart() -> None:
    hand_and_foot = card("hand-and-foot")
    assert hand_and_foot.own_sources == [
        "pagat.com «Hand and Foot»",
        "bicyclecards.com «Hand and Foot»",
    ]
    # Its penalties are those of the classic game.
    penalties = "Giochi di carte, «Giochi internazionali: Canasta»"
    assert penalties in hand_and_foot.classic_sources

    assert card("mini").own_sources == ["Wikipedia (it), «Canasta»"]
    assert card("classica").classic_sources == []


def test_the_foot_lists_the_pages_of_a_source_together() -> None:
    sources = card("moderna").own_sources
    assert sources[0] == "pagat.com «Modern American Canasta»"
    assert "canastaleague.org «Modern American Canasta»" in sources
    assert "canastajunction.com «Picking the Pack», «Special Cards», «Talon»" in sources


@pytest.mark.parametrize(
    ("name", "rule"),
    [
        ("mini", "nel turno dopo pesca una carta sola"),
        ("tagliagola", "Ognuno segna i propri onori"),
        ("tagliagola", "tutto il punteggio della coppia"),
    ],
)
def test_it_has_what_is_said_of_this_game_alone(name: str, rule: str) -> None:
    assert rule in " ".join(card(name).further_rules)


def test_the_card_of_the_classic_game_has_no_further_rules() -> None:
    assert card("classica").further_rules == []
