"""Sentences that are made from the settings of each game: the frozen pile, going out concealed, and
silence.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from scorepad.i18n import words
from scorepad.i18n.rule_sentences import write_sentence
from scorepad.i18n.settings_in_words import describe_setting
from scorepad.rules.definitions import Standing
from scorepad.rules.variants import get_variant, statements_of, variant_ids, variant_with_choices
from scorepad.schemas.variant_json import is_listed
from scorepad.sheets.rules_card import RulesCard
from tests.rules.worked_rulings import answer_question

IT, EN = words("it"), words("en")
TABLES = tomllib.loads(Path(__file__).with_name("rule-sentences.toml").read_text("utf-8"))

FIGURES_OF_OTHER_RULES = (
    "wild-melds-shortest",
    "pile-layoff",
    "out-bonus-adds",
    "left-black-three",
)
"""Settings without an effect in the classic game, because a rule that is stated leaves them none: no
meld of wild cards alone has a length.
"""

# ---------------------------------------------------------------------------------- the frozen pile

FROZEN = {
    "it": "%s carte naturali dello stesso valore della carta in cima, dalla mano, calate subito",
    "en": "%s natural cards of the top card's rank, from the hand, melded at once",
}
NATURALS = {"it": {2: "due", 3: "tre"}, "en": {2: "two", 3: "three"}}
NO_FROZEN_PILE = ("samba", "bolivia", "mini", "moderna", "hand-and-foot")


@pytest.mark.parametrize("language", ["it", "en"])
@pytest.mark.parametrize("name", [name for name in variant_ids() if name not in NO_FROZEN_PILE])
def test_the_frozen_pile_takes_naturals_of_its_rank_melded_at_once(
    name: str, language: str
) -> None:
    # W: two natural cards of the rank of the last discard, played at once; three in canastone.
    needed = 3 if name == "canastone" else 2
    rule = FROZEN[language] % NATURALS[language][needed]
    assert rule in write_sentence("pile-naturals-frozen", get_variant(name), words(language))
    card = RulesCard(name, words(language), None, None)
    assert any(rule in question.value for question in card.questions)


def test_in_the_encyclopedia_one_natural_and_a_wild_card_take_it() -> None:
    played = variant_with_choices("classica", "enciclopedia")
    sentence = write_sentence("pile-naturals-frozen", played, IT)
    assert "una carta naturale dello stesso valore della carta in cima" in sentence


# ------------------------------------------------------------------------------ going out concealed


@pytest.mark.parametrize(("name", "told"), TABLES["concealed"].items())
def test_going_out_concealed_takes_what_going_out_takes_in_each_game(name: str, told: str) -> None:
    assert write_sentence("concealed-out", get_variant(name), IT).endswith(told)
    assert "una canasta" not in describe_setting("concealed-out", get_variant(name), IT)


def test_going_out_concealed_follows_the_canastas_that_a_table_chose() -> None:
    one = variant_with_choices("due", None, {"code": "usa-1"})
    assert write_sentence("concealed-out", one, IT).endswith("almeno una canasta.")
    own = {"canastas-needed": 2, "concealed-out": "own-melds-only"}
    two = variant_with_choices("tagliagola", None, own)
    assert "cala da sé almeno 2 canaste" in write_sentence("concealed-out", two, IT)
    assert "lays at least 2 canastas of their own" in write_sentence("concealed-out", two, EN)


# ------------------------------------------------------------------------------------------ silence


def test_no_rule_is_stated_only_where_a_source_says_what_holds_instead() -> None:
    classic = get_variant("classica")
    for key, value in classic.settings.items():
        is_no_rule = value.value in ([], "none", "nothing") or not is_listed(key, classic)
        if not is_no_rule or value.cited.standing is not Standing.STATED:
            continue
        places = list(map(str, value.cited.citations))
        assert key in FIGURES_OF_OTHER_RULES or TABLES["silent"][key] in places, key


@pytest.mark.parametrize(("name", "key"), TABLES["read"])
def test_silence_is_read(name: str, key: str) -> None:
    """That each reading has its argument is in test_citation_walk.py."""
    assert get_variant(name).settings[key].cited.standing is Standing.INFERRED


@pytest.mark.parametrize(("name", "price"), [("moderna", 5), ("hand-and-foot", 100)])
def test_a_game_with_a_price_of_its_own_does_not_borrow_one_for_want_of_it(
    name: str, price: int
) -> None:
    variant = get_variant(name)
    assert variant.settings["held-red-three"].value == price
    cited = variant.penalties["red-three-not-exposed"].cited
    assert (cited.standing, cited.read) == (Standing.INFERRED, "own-price-first")


@pytest.mark.parametrize("name", ["due", "tre"])
def test_where_nobody_has_a_partner_no_text_on_partners_is_cited_for_cards_left(name: str) -> None:
    places = [str(place) for place in get_variant(name).settings["cards-left"].cited.citations]
    assert "G:Calcolo del punteggio" not in places
    assert "E:Canasta" in places


@pytest.mark.parametrize(
    ("score", "standing"),
    [(-5, "read"), (0, "stated"), (1495, "stated"), (1500, "read"), (3000, "read")],
)
def test_always_fifty_is_an_inference_but_where_the_source_says_it(
    score: int, standing: str
) -> None:
    ask = {"kind": "opening", "variant": "classica", "preset": "giochi", "score": score}
    reasons = answer_question(ask)["reasons"]
    (why,) = [each for each in reasons if each["code"].startswith("opening-minimum")]
    assert (why["standing"], why["sources"]) == (standing, ["G:Regole sussidiarie"])


# -------------------------------------------------------------------------- a pile that sources tell


@pytest.mark.parametrize("name", ["moderna", "hand-and-foot"])
def test_no_sentence_says_that_the_sources_are_silent_on_a_pile_that_they_tell(name: str) -> None:
    variant = get_variant(name)
    for speech, silent in ((IT, "non lo dicono"), (EN, "do not say")):
        for key in ("pile", "upcard"):
            assert silent not in write_sentence(key, variant, speech)
            assert silent not in describe_setting(key, variant, speech)


# ------------------------------------------------------------------------ the rulebook and the card


@pytest.mark.parametrize("code", TABLES["statements"])
def test_a_statement_stands_as_its_texts_speak_of_the_game(code: str) -> None:
    def standing(name: str) -> Standing | None:
        found = [each for each in statements_of(get_variant(name)) if each.id == code]
        return found[0].cited.standing if found else None

    games = TABLES["statements"][code]
    assert {standing(name) for name in games["stated"]} <= {Standing.STATED}
    assert {standing(name) for name in games["read"]} <= {Standing.INFERRED}
    assert {standing(name) for name in games["absent"]} <= {None}


@pytest.mark.parametrize("name", variant_ids())
def test_a_card_says_how_long_melds_and_canastas_are_and_that_a_red_three_is_replaced(
    name: str,
) -> None:
    told = {question.name: question.value for question in RulesCard(name, IT, None, None).questions}
    melds = told["Quante carte e quante matte in una combinazione?"]
    assert "Una combinazione ha almeno 3 carte." in melds
    assert f"{5 if name == 'mini' else 7} carte" in melds
    replaced = "al suo posto pesca un'altra carta" in told.get("Che cosa si fa con un 3 rosso?", "")
    assert replaced or name == "mini"


def test_the_card_of_canastone_tells_the_rules_that_its_notes_qualify() -> None:
    card = RulesCard("canastone", IT, None, None)
    (first,) = [note for note in card.further_rules if "esce dopo una matta" in note]
    assert first.startswith("Sotto la carta naturale scoperta vanno, coperte, tante carte")
    assert "sette pinelle vale come naturale" in " ".join(card.further_rules)
    answers = " ".join(question.value for question in card.questions)
    assert "non si scartano né si calano altrove matte" in answers
