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

EFFECTLESS_IN_CLASSICA = (
    "wild-melds-shortest",
    "pile-layoff",
    "out-bonus-adds",
    "left-black-three",
)
"""Settings without an effect in the classic game, because a rule that is stated leaves them none: no
meld of wild cards alone has a length.
"""
OTHER_FROZEN_PILES = ("canastone", "samba", "bolivia", "mini", "moderna", "hand-and-foot")
"""Games whose frozen pile is not that of the classic game, or that have none."""


def answers_on_card(variant: str, language: str) -> dict[str, str]:
    """Return the questions of the rules card of a game, with their answers.

    The card is printed: it says on one sheet by which rules the game is played.
    """
    card = RulesCard(variant, words(language), None, None)
    return {question.name: question.value for question in card.questions}


@pytest.mark.parametrize(
    ("language", "rule"),
    [
        (
            "it",
            "due carte naturali dello stesso valore della carta in cima, dalla mano, calate subito",
        ),
        ("en", "two natural cards of the top card's rank, from the hand, melded at once"),
    ],
)
@pytest.mark.parametrize(
    "variant", [name for name in variant_ids() if name not in OTHER_FROZEN_PILES]
)
def test_frozen_pile_takes_two_natural_cards(variant: str, language: str, rule: str) -> None:
    # A player may take the pile of discards with cards that go with its top card. While the pile is
    # frozen, these must be natural, that is no wild cards. In most games two are needed.
    assert rule in write_rule_of_frozen_pile(variant, language)
    assert rule in " ".join(answers_on_card(variant, language).values())


@pytest.mark.parametrize(
    ("language", "rule"),
    [
        (
            "it",
            "tre carte naturali dello stesso valore della carta in cima, dalla mano, calate subito",
        ),
        ("en", "three natural cards of the top card's rank, from the hand, melded at once"),
    ],
)
def test_frozen_pile_takes_three_natural_cards_in_canastone(language: str, rule: str) -> None:
    # In other games two cards are enough.
    assert rule in write_rule_of_frozen_pile("canastone", language)
    assert rule in " ".join(answers_on_card("canastone", language).values())


def write_rule_of_frozen_pile(variant: str, language: str) -> str:
    """Return the sentence of the rulebook on what takes a frozen pile."""
    return write_sentence("pile-naturals-frozen", get_variant(variant), words(language))


def test_frozen_pile_takes_one_natural_card_in_preset_enciclopedia() -> None:
    # The classic game as one of its sources, an encyclopedia, tells it: here a wild card is enough
    # beside one natural card, where others need two natural cards.
    variant = variant_with_choices("classica", "enciclopedia")

    sentence = write_sentence("pile-naturals-frozen", variant, IT)

    # "One natural card of the top card's rank."
    assert "una carta naturale dello stesso valore della carta in cima" in sentence


@pytest.mark.parametrize(("variant", "end_of_sentence"), TABLES["concealed"].items())
def test_going_out_concealed_needs_the_canastas_of_going_out(
    variant: str, end_of_sentence: str
) -> None:
    # A player goes out concealed who lays all cards in one turn, and none before. The sentence ends
    # with the canastas that the game asks of everybody who goes out: in classica "calando almeno
    # una canasta.", laying at least one canasta.
    sentence = write_sentence("concealed-out", get_variant(variant), IT)
    assert sentence.endswith(end_of_sentence)


@pytest.mark.parametrize("variant", TABLES["concealed"])
def test_value_of_going_out_concealed_names_no_canasta(variant: str) -> None:
    # In a list of settings, the canastas that going out needs stand beside this one, as a setting
    # of their own.
    value = describe_setting("concealed-out", get_variant(variant), IT)
    assert "una canasta" not in value


def test_going_out_concealed_needs_one_canasta_by_option() -> None:
    # In the game for two players, "due", going out needs two canastas. One of its American codes,
    # "usa-1", asks for one.
    variant = variant_with_choices("due", None, {"code": "usa-1"})

    sentence = write_sentence("concealed-out", variant, IT)

    assert sentence.endswith("almeno una canasta.")  # "at least one canasta"


def test_going_out_concealed_needs_two_canastas_of_ones_own_by_option() -> None:
    # By two options, going out needs two canastas, and who goes out concealed must lay all melds
    # without help from a partner.
    options = {"canastas-needed": 2, "concealed-out": "own-melds-only"}
    variant = variant_with_choices("tagliagola", None, options)
    assert "cala da sé almeno 2 canaste" in write_sentence("concealed-out", variant, IT)
    assert "lays at least 2 canastas of their own" in write_sentence("concealed-out", variant, EN)


def list_settings_without_rule() -> list[str]:
    """Return the settings that say of the classic game that it does not have a certain rule.

    They are settings such as "natural-only", the cards beside which wild cards are forbidden: there
    are none. Those that were inferred are left out: a source must be cited for the others.
    """
    classica = get_variant("classica")
    keys = []
    for key, setting in classica.settings.items():
        is_stated_by_source = setting.cited.standing is Standing.STATED
        has_empty_value = setting.value in ([], "none", "nothing")
        has_no_rule = has_empty_value or not is_listed(key, classica)  # not in the rulebook

        # Four settings have no effect only because another rule leaves them none.
        if is_stated_by_source and has_no_rule and key not in EFFECTLESS_IN_CLASSICA:
            keys.append(key)
    return keys


@pytest.mark.parametrize("key", list_settings_without_rule())
def test_rule_that_classica_lacks_has_the_source_of_what_is_done_instead(key: str) -> None:
    # The key is one such as "natural-only", the cards that are laid without wild cards. Classica
    # has none, and no source says so. It cites the place that says what is done instead: wild cards
    # stand for any other card.
    place_in_source = TABLES["silent"][key]  # "W:Terminologia, …", in rule-sentences.toml

    setting = get_variant("classica").settings[key]

    places_cited = [str(citation) for citation in setting.cited.citations]
    assert place_in_source in places_cited


@pytest.mark.parametrize(("variant", "setting"), TABLES["read"])
def test_setting_that_no_source_states_is_inferred(variant: str, setting: str) -> None:
    # Such as "partnership" of "classica": no source says whether the same players stay together for
    # a whole match. The app has to suppose something, and says of it that it is inferred.
    cited = get_variant(variant).settings[setting].cited
    assert cited.standing is Standing.INFERRED


@pytest.mark.parametrize(("name", "points"), [("moderna", 5), ("hand-and-foot", 100)])
def test_penalty_for_red_three_is_inferred_from_the_points_of_the_game(
    name: str, points: int
) -> None:
    # A player has to lay a red three on the table at once. Who still has it in hand at the end
    # loses so many points: this game has a rule of its own for it.
    variant = get_variant(name)
    assert variant.settings["held-red-three"].value == points

    # In the classic game there is also a penalty of 500 points for it. No source says whether it
    # holds in this game. It is inferred that the game's own points are taken instead.
    penalty = variant.penalties["red-three-not-exposed"]
    assert penalty.cited.standing is Standing.INFERRED
    assert penalty.cited.read == "own-price-first"


@pytest.mark.parametrize("variant", ["due", "tre"])
def test_cards_left_cite_no_text_about_partners_in_games_without_partners(variant: str) -> None:
    # The rule of the cards left in hand is that of the classic game, which cites a text of G about
    # partners. In the games for two and for three, everybody plays alone.
    cards_left = get_variant(variant).settings["cards-left"]
    citations = [str(citation) for citation in cards_left.cited.citations]
    assert "G:Calcolo del punteggio" not in citations
    assert "E:Canasta" in citations


@pytest.mark.parametrize(
    ("score", "standing"),
    [
        # The source G says that 50 points are needed "in the initial phase of the game", here from
        # 0 to 1495. That they are needed at any other score is read into it.
        (-5, "read"),
        (0, "stated"),
        (1495, "stated"),
        (1500, "read"),
        (3000, "read"),
    ],
)
def test_opening_minimum_of_preset_giochi_is_stated_only_from_0_to_1495(
    score: int, standing: str
) -> None:
    # A player asks how many points the first melds of a side must have at this score, by the rules
    # of the source G.
    answer = answer_question(
        {"kind": "opening", "variant": "classica", "preset": "giochi", "score": score}
    )

    (reason,) = [each for each in answer["reasons"] if each["code"].startswith("opening-minimum")]
    assert reason["standing"] == standing
    assert reason["sources"] == ["G:Regole sussidiarie"]


@pytest.mark.parametrize("name", ["moderna", "hand-and-foot"])
@pytest.mark.parametrize("key", ["pile", "upcard"])
@pytest.mark.parametrize(("texts", "silence"), [(IT, "non lo dicono"), (EN, "do not say")])
def test_rules_of_the_pile_that_sources_state_are_not_called_unknown(
    name: str, key: str, texts: Words, silence: str
) -> None:
    # Where no source knows a rule, the rulebook writes "the sources do not say". How the pile is
    # taken in these games, and what the first card turned up may be, they do say.
    variant = get_variant(name)
    assert silence not in write_sentence(key, variant, texts)
    assert silence not in describe_setting(key, variant, texts)


def find_standing(variant: str, statement_id: str) -> Standing | None:
    """Return the standing of a statement in a variant; None if it does not hold there."""
    for statement in statements_of(get_variant(variant)):
        if statement.id == statement_id:
            return statement.cited.standing
    return None


@pytest.mark.parametrize("statement", TABLES["statements"])
def test_statement_has_the_expected_standing_in_each_game(statement: str) -> None:
    # That cards are dealt one by one, for example, the sources state of the classic game. For samba
    # it was inferred from there.
    variants = TABLES["statements"][statement]

    for variant in variants["stated"]:
        assert find_standing(variant, statement) is Standing.STATED
    for variant in variants["read"]:
        assert find_standing(variant, statement) is Standing.INFERRED
    for variant in variants["absent"]:
        assert find_standing(variant, statement) is None


@pytest.mark.parametrize("variant", variant_ids())
def test_card_says_how_long_melds_and_canastas_are(variant: str) -> None:
    # "How many cards and how many wild cards in a meld?"
    answer = answers_on_card(variant, "it")["Quante carte e quante matte in una combinazione?"]

    # "A meld has at least 3 cards."
    assert "Una combinazione ha almeno 3 carte." in answer
    canasta_length = 5 if variant == "mini" else 7
    assert f"{canasta_length} carte" in answer


@pytest.mark.parametrize("variant", [name for name in variant_ids() if name != "mini"])
def test_card_says_that_a_red_three_is_replaced(variant: str) -> None:
    # "What is done with a red three?"
    answer = answers_on_card(variant, "it")["Che cosa si fa con un 3 rosso?"]
    # Who has one lays it down, and "draws another card in its place".
    assert "al suo posto pesca un'altra carta" in answer


def test_card_of_canastone_has_the_rules_that_its_notes_are_about() -> None:
    # Canastone is an Italian variant. A note on its printed card is about each of these rules.
    card = RulesCard("canastone", IT, None, None)

    # "Under the natural card turned up go, face down, as many cards" as its number says, also when
    # it "comes up after a wild card".
    (first_card_rule,) = [rule for rule in card.further_rules if "esce dopo una matta" in rule]
    assert first_card_rule.startswith(
        "Sotto la carta naturale scoperta vanno, coperte, tante carte"
    )

    # A canasta of "seven twos counts as natural".
    assert "sette pinelle vale come naturale" in " ".join(card.further_rules)

    # "Wild cards are neither discarded nor laid elsewhere."
    answers = " ".join(answers_on_card("canastone", "it").values())
    assert "non si scartano né si calano altrove matte" in answers
