"""Variants of the user's own on the pages: offered, played, and gone on with where their file is
gone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from scorepad.i18n import words
from scorepad.i18n.settings_in_words import variant_name
from scorepad.matches.file_reader import read_export
from scorepad.rules.variants import get_variant, offer_own_variants
from tests.sheets.reading import text_by_page
from tests.web.client import Client
from tests.web.player import Begin
from tests.web.playing import hand, side

OWN_RULES_FOLDER = Path(__file__).parents[1] / "rules" / "own"
PAGES_OF_MATCH = (
    "", "/smazzata", "/smazzate/1/correggi", "/regole", "/penalita", "/nomi", "/registro", "/tabellone", "/condividi",
    "/foglio.pdf", "/foglio.pdf?dettaglio=on", "/arbitro", "/arbitro/pozzo", "/arbitro/chiusura", "/arbitro/apertura",
    "/fine", "/telefoni", "/file", "/file/righe.csv",
)  # fmt: skip
CANASTA_OF_OWN = {
    "tredici": "natural-canasta",
    "rosse-nere": "mixed-canasta",
    "a-tempo": "natural-canasta",
    "quattromila": "mixed-canasta",
    "quattro-canaste": "all-sevens",
}
"""Variants of tests/rules/own, each with a kind of canasta that it has."""
KEY_IN_PLACE_OF_WORDS = re.compile(rb"\b(bonus|family|item|option|penalty|read|variant)\.[a-z]")


@pytest.fixture(autouse=True)
def offered() -> Iterator[None]:
    """Offer the rules of tests/rules/own for new matches, during each test."""
    offer_own_variants(OWN_RULES_FOLDER)
    yield
    offer_own_variants(None)


def check_opens_with_words(client: Client, path: str) -> None:
    """Check that a page or file opens, and that no key such as `option.wild-limit` stands in it in
    place of words.
    """
    answer = client.raw.get(path, follow_redirects=True)
    assert answer.status_code == 200, path
    assert not KEY_IN_PLACE_OF_WORDS.search(answer.data), path


def hand_with_own_canasta(variant: str) -> dict[str, object]:
    """Return a hand in which our side lays a canasta of the variant and 245 points of cards.

    In two of the variants our side also gets the bonus for cutting the cards exactly.
    """
    canastas = {CANASTA_OF_OWN[variant]: 1}
    ours = {"totals": {"canastas": canastas, "cards": 245}, "left": 0}
    if variant in ("tredici", "rosse-nere"):
        ours["bonuses"] = ["exact-cut"]
    return hand(ours, side(left=20))


@pytest.mark.quick(2)
@pytest.mark.parametrize("file_is_gone", [False, True])
@pytest.mark.parametrize("variant", CANASTA_OF_OWN)
def test_every_page_of_a_match_opens(begin: Begin, variant: str, file_is_gone: bool) -> None:
    player = begin(variant)
    player.play(hand_with_own_canasta(variant))
    name = variant_name(get_variant(variant), words("it"))

    # The administrator removes the file of the rules. The match has a copy of them.
    if file_is_gone:
        offer_own_variants(None)

    for path in PAGES_OF_MATCH:
        check_opens_with_words(player.client, f"{player.match}{path}")
    assert name in player.page().text


def test_own_bonus_is_shown_by_name(begin: Begin) -> None:
    # "Exact cut" is a bonus of these rules: it is in the form of a hand, and in the hand that got
    # it.
    player = begin("tredici")
    assert "Taglio giusto" in player.open().text
    assert "Taglio giusto" in player.play(hand_with_own_canasta("tredici")).text


def test_sheet_has_the_points_of_a_bonus_given_twice(begin: Begin) -> None:
    # In the house rules `tredici` a side that cuts the pack exactly gets a bonus of 100 points. Our
    # side gets it twice in one hand.
    player = begin("tredici")
    ours = side(cards=245, natural=1, bonuses=["exact-cut", "exact-cut"])
    theirs = side(left=20)
    player.play(hand(ours, theirs))

    # The sheet of the match, a PDF, has both together: "Exact cut +200".
    sheet = player.answer("foglio.pdf").data
    assert "Taglio giusto +200" in " ".join(text_by_page(sheet))


def test_own_canasta_is_shown_by_name(begin: Begin) -> None:
    # "Canasta of sevens" is a canasta of these rules.
    page = begin("quattro-canaste").play(hand_with_own_canasta("quattro-canaste"))
    assert "Canasta di sette" in page.text


def test_exported_match_can_be_read_without_the_rules_file(begin: Begin) -> None:
    player = begin("quattro-canaste")
    player.play(hand_with_own_canasta("quattro-canaste"))
    exported = player.answer("file/partita.json").data

    # Another score pad, which does not have these rules, reads the file. It has the rules in it.
    offer_own_variants(None)
    (match,) = read_export(exported)

    noi, loro = match.state.sides
    assert noi.total == 1745  # the canasta of sevens 1500, cards 245
    assert loro.total == -20  # left in hand
    assert match.state.rules.words["it"]["variant.quattro-canaste.name"] == "Quattro canaste"


def test_list_of_matches_names_games_without_their_rules_file(
    client: Client, begin: Begin, tmp_path: Path
) -> None:
    # Two matches are begun by rules of the same id. In between the rules get another name: "To two
    # thousand", then "To three thousand". Finally their file is removed.
    for name in ("Ai duemila", "Ai tremila"):
        rules = f'id = "nostra"\nextends = "classica"\nwords.it.name = "{name}"\n'
        (tmp_path / "nostra.toml").write_text(rules, "utf-8")
        offer_own_variants(tmp_path)
        begin("nostra")
    offer_own_variants(None)

    # Each match is listed with the name that the rules had then, the last match first.
    second, first = client.get("/").texts(class_="match-said")
    assert "Ai duemila" in first
    assert "Ai tremila" in second


def test_comparison_of_own_games_uses_the_words_of_each(client: Client, tmp_path: Path) -> None:
    # Both games have a bonus with the key `cut`, but call it differently.
    for variant, bonus in (("una", "Taglio giusto"), ("altra", "Taglio al volo")):
        rules = f'id = "{variant}"\nextends = "classica"\n'
        rules += f'[bonuses.cut]\npoints = 100\nstanding = "house"\nwords.it = "{bonus}"\n'
        (tmp_path / f"{variant}.toml").write_text(rules, "utf-8")
    offer_own_variants(tmp_path)

    text = client.get("/regole/confronta?uno=una&altro=altra").text

    assert "Taglio giusto" in text
    assert "Taglio al volo" in text


# Rules may cite a section of a source, here of the rules of a club. Its heading has markup in it.
RULES_WITH_MARKUP_IN_A_HEADING = """
id = "casa"
extends = "classica"

[sources.club]
title = "Il nostro circolo"
sections = ["<b>Pescate</b>"]

[penalties.draw-out-of-turn]
points = 150
cite = ["club:<b>Pescate</b>"]
"""


def test_heading_of_own_source_is_escaped(begin: Begin, tmp_path: Path) -> None:
    (tmp_path / "casa.toml").write_text(RULES_WITH_MARKUP_IN_A_HEADING, "utf-8")
    offer_own_variants(tmp_path)

    page = begin("casa").page("penalita")

    # The page of the penalties shows the heading as it is written.
    assert "«<b>Pescate</b>»" in page.text


@pytest.mark.quick(1)
@pytest.mark.parametrize("variant", CANASTA_OF_OWN)
def test_rulebook_pages_and_papers_open(client: Client, variant: str) -> None:
    # The rules, a blank score sheet, a card with the rules, a comparison with the classic game, a
    # search in the rules, the form of a new match, and the referee.
    for path in (
        f"/regole/{variant}",
        f"/regole/{variant}/segnapunti.pdf",
        f"/regole/{variant}/scheda.pdf",
        f"/regole/confronta?uno=classica&altro={variant}",
        f"/regole/cerca?testo=pozzo&gioco={variant}",
        "/partite/nuova",
        f"/arbitro?variante={variant}",
    ):
        check_opens_with_words(client, path)
    assert variant_name(get_variant(variant), words("it")) in client.get("/regole").text
