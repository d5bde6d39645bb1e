"""Rules cards: the figures of a variant and answers to usual questions on one page."""

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


@pytest.mark.quick(2)
@pytest.mark.parametrize("name", variant_ids())
def test_rules_card_of_every_variant_fits_on_one_page(name: str) -> None:
    pdf = make_rules_card(name, words("it"))

    # A4 in points.
    sheet = PdfReader(BytesIO(pdf))
    (page,) = sheet.pages
    assert [round(float(side)) for side in page.mediabox] == [0, 0, 595, 842]

    # Everything is on the page, down to the foot with the sources ("Fonti").
    text = read_text(sheet)
    card = card_of(name)
    assert card.name in text
    assert f"Fonti: {card.own_sources[0]}" in text
    for fact in list_facts(card):
        assert join_lines(fact.name) in text
        assert join_lines(fact.value) in text, "a word is broken"
    assert len(card.questions) == QUESTIONS_ON_CARD

    # The foot is the smallest print. The rules have nine points at least.
    assert min(font_sizes(pdf)) >= 7.9


@pytest.mark.long
def test_rules_card_with_every_option_fits_on_one_page() -> None:
    # These are the options of bolivia that can be switched on.
    chosen = {"dirty-escalera": True, "red-threes-may-be-kept": True, "black-three-canasta": True}
    sheet = PdfReader(BytesIO(make_rules_card("bolivia", words("en"), None, chosen)))
    assert len(sheet.pages) == 1
    assert all(embedded_by_font(sheet).values())
    assert sheet.trailer["/Root"]["/Lang"] == "en"


def join_lines(text: str) -> str:
    """Return a text with single spaces in place of line ends, as it is read from a page."""
    return " ".join(text.split())


def card_of(name: str, preset: str | None = None, language: str = "it") -> RulesCard:
    return RulesCard(name, words(language), preset, None)


def list_facts(contents: RulesCard) -> list[Any]:
    """Return everything on a card that has a name and a value."""
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
    """Return the first page on which a text stands. Fail if there is none."""
    for page in pages:
        if text in page:
            return page
    pytest.fail(f"on no page: {text}")


@pytest.mark.parametrize("game", FIGURES["card"])
def test_rules_card_has_the_figures_of_variant_and_preset(game: str) -> None:
    # A game is a variant, or a variant and its preset: "classica getty", with {"Mazzi": "2"}, the
    # number of decks. Where the value is empty, the card does not have the fact.
    name, _, preset = game.partition(" ")

    values = values_by_name(card_of(name, preset or None))

    for fact, expected in FIGURES["card"][game].items():
        value = values.get(fact, "")
        assert value == expected


def test_rules_card_answers_questions_as_the_rulebook_does() -> None:
    answers = values_by_name(card_of("classica"))

    # How many cards, and how many wild cards, has a meld? At least 3 cards; a canasta is a meld of
    # at least 7. At least 2 are natural cards, at most 3 wild cards. Wild cards are never laid
    # alone.
    assert answers["Quante carte e quante matte in una combinazione?"] == (
        "Una combinazione ha almeno 3 carte. Una canasta è una combinazione di almeno 7 carte. "
        "In una combinazione ci sono almeno 2 carte naturali. In una combinazione ci sono al massimo 3 matte. "
        "Le matte non si calano mai da sole."
    )
    # Is the partner asked for permission? "Before going out one may ask for permission …"
    assert answers["Si chiede il permesso al compagno?"].startswith(
        "Prima di chiudere si può chiedere il permesso"
    )


# The usual run tries the variants with the longest cards, `-m full` the others.
LONG_CARDS = ["moderna", "hand-and-foot", "canastone", "cubana"]
OTHER_CARDS = [name for name in variant_ids() if name not in LONG_CARDS]


@pytest.mark.quick(2)
@pytest.mark.parametrize("name", LONG_CARDS + in_full(*OTHER_CARDS))
def test_large_print_breaks_no_list_or_answer_across_pages(
    name: str,
) -> None:
    # In large print a card has several pages. It has lists of facts, each a name and a value.
    card = card_of(name)
    pages = text_by_page(make_rules_card(name, words("it"), large=True))

    # The heading of a list is on the same page as its last entry.
    facts_by_heading = {
        "Le penalità": card.penalties,  # penalties
        "Premi e punti in meno": card.bonuses,  # bonuses and losses
        "Valore delle carte": card.cards,  # points of the cards
    }
    for heading, facts in facts_by_heading.items():
        if facts:
            last_fact = join_lines(facts[-1].name)
            assert last_fact in find_page(heading, pages)

    # The whole answer to a question follows it on the same page. `find_page` fails if there is no
    # page with both.
    for question in card.questions:
        find_page(f"{join_lines(question.name)} {join_lines(question.value)}", pages)


def test_large_print_starts_with_basics_and_ends_with_sources() -> None:
    pages = text_by_page(make_rules_card("classica", words("it"), large=True))
    assert 2 <= len(pages) <= 4
    text = " ".join(pages)

    # "Players 2 against 2, decks 2, cards dealt 11, cards drawn 1, target 5.000", then "The usual
    # questions", then "Sources".
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
    # Hand and foot is a variant of the classic game.
    hand_and_foot = card_of("hand-and-foot")
    assert hand_and_foot.own_sources == [
        "pagat.com «Hand and Foot»",
        "bicyclecards.com «Hand and Foot»",
    ]
    # Its penalties are those of the classic game, for which this is the source.
    assert "Giochi di carte, «Giochi internazionali: Canasta»" in hand_and_foot.classic_sources


def test_own_sources_are_those_of_the_variant_itself() -> None:
    # Wikipedia describes mini canasta. What it does not say is as in the classic game.
    assert card_of("mini").own_sources == ["Wikipedia (it), «Canasta»"]
    # The sources of the classic game are all its own.
    assert card_of("classica").classic_sources == []


def test_rules_card_lists_pages_of_a_source_together() -> None:
    sources = card_of("moderna").own_sources
    assert sources[0] == "pagat.com «Modern American Canasta»"
    assert "canastaleague.org «Modern American Canasta»" in sources
    assert "canastajunction.com «Picking the Pack», «Special Cards», «Talon»" in sources


@pytest.mark.parametrize(
    ("name", "rule"),
    [
        # "in the next turn draws a single card"
        ("mini", "nel turno dopo pesca una carta sola"),
        # "Each scores his own red threes", "the whole score of the pair"
        ("tagliagola", "Ognuno segna i propri onori"),
        ("tagliagola", "tutto il punteggio della coppia"),
    ],
)
def test_rules_card_has_the_rules_of_this_variant_alone(name: str, rule: str) -> None:
    assert rule in " ".join(card_of(name).further_rules)


def test_rules_card_of_classic_game_has_no_further_rules() -> None:
    assert card_of("classica").further_rules == []
