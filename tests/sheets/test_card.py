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
def test_rules_card_of_every_variant_fits_on_one_page(name: str) -> None:
    pdf = make_rules_card(name, words("it"))

    sheet = PdfReader(BytesIO(pdf))
    (page,) = sheet.pages
    assert [round(float(side)) for side in page.mediabox] == [0, 0, 595, 842]
    text = read_text(sheet)
    card = card_of(name)
    assert card.name in text
    assert f"Fonti: {card.own_sources[0]}" in text, "the foot is on the page"
    for fact in list_facts(card):
        assert join_lines(fact.name) in text
        assert join_lines(fact.value) in text, "a word is broken"
    assert len(card.questions) == QUESTIONS_ON_CARD
    smallest_print_in_points = 7.9  # the foot; the rules have nine at least
    assert min(font_sizes(pdf)) >= smallest_print_in_points


@pytest.mark.long
def test_rules_card_with_every_option_fits_on_one_page() -> None:
    chosen = {"dirty-escalera": True, "red-threes-may-be-kept": True, "black-three-canasta": True}
    sheet = PdfReader(BytesIO(make_rules_card("bolivia", words("en"), None, chosen)))
    assert len(sheet.pages) == 1
    assert all(embedded_by_font(sheet).values())
    assert sheet.trailer["/Root"]["/Lang"] == "en"


def join_lines(text: str) -> str:
    """A text with single spaces, as it is read from a page."""
    return " ".join(text.split())


def card_of(name: str, preset: str | None = None, language: str = "it") -> RulesCard:
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


def find_page(text: str, pages: list[str]) -> str:
    """The first page on which this stands."""
    for page in pages:
        if text in page:
            return page
    pytest.fail(f"on no page: {text}")


@pytest.mark.parametrize("game", FIGURES["card"])
def test_rules_card_has_the_figures_of_variant_and_preset(game: str) -> None:
    """The game is a variant, or a variant and its preset: "classica getty"."""
    name, _, preset = game.partition(" ")

    values = values_by_name(card_of(name, preset or None))

    for fact, expected in FIGURES["card"][game].items():
        value = values.get(fact, "")  # empty where the fact is not on the card
        assert value == expected


def test_rules_card_answers_questions_as_the_rulebook_does() -> None:
    answers = values_by_name(card_of("classica"))
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
def test_large_print_breaks_no_list_or_answer_across_pages(
    name: str,
) -> None:
    pages = text_by_page(make_rules_card(name, words("it"), large=True))

    card = card_of(name)
    facts_by_heading = {
        "Le penalità": card.penalties,
        "Premi e punti in meno": card.bonuses,
        "Valore delle carte": card.cards,
    }
    for heading, facts in facts_by_heading.items():
        if facts:
            page = find_page(heading, pages)
            last_fact = join_lines(facts[-1].name)
            assert last_fact in page
    for question in card.questions:
        question_and_answer = f"{join_lines(question.name)} {join_lines(question.value)}"
        assert find_page(question_and_answer, pages)


def test_large_print_starts_with_basics_and_ends_with_sources() -> None:
    pages = text_by_page(make_rules_card("classica", words("it"), large=True))
    assert 2 <= len(pages) <= 4
    text = " ".join(pages)
    basics = text.index(
        "Giocatori 2 contro 2 · Mazzi 2 · Carte distribuite 11 · Carte pescate 1 · Traguardo 5.000"
    )
    questions = text.index("Le domande di sempre")
    sources = text.index("Fonti: ")
    assert 0 < basics < questions < sources


def test_rules_card_in_english() -> None:
    answers = values_by_name(card_of("classica", language="en"))
    assert answers["What if the stock runs out?"].startswith("When the stock runs out play goes on")


def test_rules_card_lists_sources_of_the_classic_game_apart() -> None:
    hand_and_foot = card_of("hand-and-foot")
    assert hand_and_foot.own_sources == [
        "pagat.com «Hand and Foot»",
        "bicyclecards.com «Hand and Foot»",
    ]
    # Its penalties are those of the classic game.
    penalties = "Giochi di carte, «Giochi internazionali: Canasta»"
    assert penalties in hand_and_foot.classic_sources


def test_rules_card_without_rules_of_the_classic_game_lists_its_own_sources_only() -> None:
    assert card_of("mini").own_sources == ["Wikipedia (it), «Canasta»"]
    assert card_of("classica").classic_sources == []


def test_rules_card_lists_pages_of_a_source_together() -> None:
    sources = card_of("moderna").own_sources
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
def test_rules_card_has_the_rules_of_this_variant_alone(name: str, rule: str) -> None:
    assert rule in " ".join(card_of(name).further_rules)


def test_rules_card_of_classic_game_has_no_further_rules() -> None:
    assert card_of("classica").further_rules == []
