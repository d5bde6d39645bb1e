"""Sentences that are made from the settings of each game: the frozen pile, going out concealed, and
silence.
"""

import pytest

from scorepad.i18n import Words, words
from scorepad.i18n.rule_sentences import write_sentence
from scorepad.i18n.settings_in_words import describe_setting
from scorepad.rules.definitions import Standing
from scorepad.rules.variants import get_variant, statements_of, variant_ids, variant_with_choices
from scorepad.schemas.variant_json import is_listed
from scorepad.sheets.rules_card import RulesCard
from tests.data import read_data
from tests.rules.worked_rulings import answer_question

IT, EN = words("it"), words("en")
TABLES = read_data("schemas/rule-sentences.toml")

FIGURES_OF_OTHER_RULES = (
    "wild-melds-shortest",
    "pile-layoff",
    "out-bonus-adds",
    "left-black-three",
)
"""Settings without an effect in the classic game, because a rule that is stated leaves them none: no
meld of wild cards alone has a length.
"""

FROZEN_PILE = {
    "it": "due carte naturali dello stesso valore della carta in cima, dalla mano, calate subito",
    "en": "two natural cards of the top card's rank, from the hand, melded at once",
}


FROZEN_PILE_OF_CANASTONE = {
    "it": "tre carte naturali dello stesso valore della carta in cima, dalla mano, calate subito",
    "en": "three natural cards of the top card's rank, from the hand, melded at once",
}


NO_FROZEN_PILE = ("samba", "bolivia", "mini", "moderna", "hand-and-foot")


@pytest.mark.parametrize("language", ["it", "en"])
@pytest.mark.parametrize("name", [name for name in variant_ids() if name not in NO_FROZEN_PILE])
def test_the_frozen_pile_takes_naturals_of_its_rank_melded_at_once(
    name: str, language: str
) -> None:
    # W: two natural cards of the rank of the last discard, played at once; three in canastone.
    rule = FROZEN_PILE_OF_CANASTONE if name == "canastone" else FROZEN_PILE

    sentence = write_sentence("pile-naturals-frozen", get_variant(name), words(language))
    card = RulesCard(name, words(language), None, None)

    assert rule[language] in sentence
    assert any(rule[language] in question.value for question in card.questions)


def test_in_the_encyclopedia_one_natural_and_a_wild_card_take_a_frozen_pile() -> None:
    variant = variant_with_choices("classica", "enciclopedia")
    sentence = write_sentence("pile-naturals-frozen", variant, IT)
    assert "una carta naturale dello stesso valore della carta in cima" in sentence


@pytest.mark.parametrize(("name", "end_of_sentence"), TABLES["concealed"].items())
def test_going_out_concealed_takes_what_going_out_takes_in_each_game(
    name: str, end_of_sentence: str
) -> None:
    variant = get_variant(name)
    assert write_sentence("concealed-out", variant, IT).endswith(end_of_sentence)
    assert "una canasta" not in describe_setting("concealed-out", variant, IT)


def test_going_out_concealed_needs_the_one_canasta_that_a_table_chose() -> None:
    variant = variant_with_choices("due", None, {"code": "usa-1"})
    assert write_sentence("concealed-out", variant, IT).endswith("almeno una canasta.")


def test_going_out_concealed_needs_the_two_own_canastas_that_a_table_chose() -> None:
    options = {"canastas-needed": 2, "concealed-out": "own-melds-only"}
    variant = variant_with_choices("tagliagola", None, options)
    assert "cala da sé almeno 2 canaste" in write_sentence("concealed-out", variant, IT)
    assert "lays at least 2 canastas of their own" in write_sentence("concealed-out", variant, EN)


def test_no_rule_is_stated_only_where_a_source_says_what_holds_instead() -> None:
    classica = get_variant("classica")
    for key, setting in classica.settings.items():
        is_no_rule = setting.value in ([], "none", "nothing") or not is_listed(key, classica)
        if not is_no_rule or setting.cited.standing is not Standing.STATED:
            continue
        if key not in FIGURES_OF_OTHER_RULES:
            citations = [str(citation) for citation in setting.cited.citations]
            assert TABLES["silent"][key] in citations, key


@pytest.mark.parametrize(("name", "key"), TABLES["read"])
def test_what_no_source_says_is_inferred(name: str, key: str) -> None:
    """That each inference has its argument is in test_citation_walk.py."""
    assert get_variant(name).settings[key].cited.standing is Standing.INFERRED


@pytest.mark.parametrize(("name", "price"), [("moderna", 5), ("hand-and-foot", 100)])
def test_a_game_with_a_price_of_its_own_does_not_borrow_that_of_the_classic_game(
    name: str, price: int
) -> None:
    variant = get_variant(name)
    assert variant.settings["held-red-three"].value == price
    cited = variant.penalties["red-three-not-exposed"].cited
    assert cited.standing is Standing.INFERRED
    assert cited.read == "own-price-first"


@pytest.mark.parametrize("name", ["due", "tre"])
def test_where_nobody_has_a_partner_no_text_on_partners_is_cited_for_cards_left(name: str) -> None:
    cards_left = get_variant(name).settings["cards-left"]
    citations = [str(citation) for citation in cards_left.cited.citations]
    assert "G:Calcolo del punteggio" not in citations
    assert "E:Canasta" in citations


@pytest.mark.parametrize(
    ("score", "standing"),
    [(-5, "read"), (0, "stated"), (1495, "stated"), (1500, "read"), (3000, "read")],
)
def test_always_fifty_is_an_inference_but_where_the_source_says_it(
    score: int, standing: str
) -> None:
    answer = answer_question(
        {"kind": "opening", "variant": "classica", "preset": "giochi", "score": score}
    )

    (reason,) = [
        reason for reason in answer["reasons"] if reason["code"].startswith("opening-minimum")
    ]
    assert reason["standing"] == standing
    assert reason["sources"] == ["G:Regole sussidiarie"]


@pytest.mark.parametrize("name", ["moderna", "hand-and-foot"])
@pytest.mark.parametrize("key", ["pile", "upcard"])
@pytest.mark.parametrize(("texts", "silence"), [(IT, "non lo dicono"), (EN, "do not say")])
def test_no_sentence_says_that_the_sources_are_silent_on_a_pile_that_they_tell(
    name: str, key: str, texts: Words, silence: str
) -> None:
    variant = get_variant(name)
    assert silence not in write_sentence(key, variant, texts)
    assert silence not in describe_setting(key, variant, texts)


def find_standing(variant: str, statement_id: str) -> Standing | None:
    """The standing of a statement in a variant; None if it does not hold there."""
    for statement in statements_of(get_variant(variant)):
        if statement.id == statement_id:
            return statement.cited.standing
    return None


@pytest.mark.parametrize("statement", TABLES["statements"])
def test_a_statement_stands_as_its_texts_speak_of_the_game(statement: str) -> None:
    variants = TABLES["statements"][statement]
    for variant in variants["stated"]:
        assert find_standing(variant, statement) is Standing.STATED
    for variant in variants["read"]:
        assert find_standing(variant, statement) is Standing.INFERRED
    for variant in variants["absent"]:
        assert find_standing(variant, statement) is None


def answers_on_card(name: str) -> dict[str, str]:
    """The questions of the card of a game, with their answers."""
    card = RulesCard(name, IT, None, None)
    return {question.name: question.value for question in card.questions}


@pytest.mark.parametrize("name", variant_ids())
def test_a_card_says_how_long_melds_and_canastas_are(name: str) -> None:
    answer = answers_on_card(name)["Quante carte e quante matte in una combinazione?"]
    assert "Una combinazione ha almeno 3 carte." in answer
    canasta_length = 5 if name == "mini" else 7
    assert f"{canasta_length} carte" in answer


@pytest.mark.parametrize("name", [name for name in variant_ids() if name != "mini"])
def test_a_card_says_that_a_red_three_is_replaced(name: str) -> None:
    answer = answers_on_card(name)["Che cosa si fa con un 3 rosso?"]
    assert "al suo posto pesca un'altra carta" in answer


def test_the_card_of_canastone_tells_the_rules_that_its_notes_qualify() -> None:
    card = RulesCard("canastone", IT, None, None)
    (first_card_rule,) = [rule for rule in card.further_rules if "esce dopo una matta" in rule]
    assert first_card_rule.startswith(
        "Sotto la carta naturale scoperta vanno, coperte, tante carte"
    )
    assert "sette pinelle vale come naturale" in " ".join(card.further_rules)
    answers = " ".join(question.value for question in card.questions)
    assert "non si scartano né si calano altrove matte" in answers
