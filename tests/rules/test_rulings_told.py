"""What a ruling rests on and how it is told: no source is named for what it denies or never speaks
of, and the sentence says what is so in this game.

The places are those of the sources' own texts: W's section, G's heading, H and E.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from scorepad.i18n import words
from scorepad.i18n.findings import describe_finding, explain_reason
from scorepad.i18n.verdicts import describe_verdict
from scorepad.referee.answering import give_ruling
from scorepad.referee.questions import MeldQuestion, OutQuestion
from scorepad.referee.ruling import Reason, Ruling, Verdict
from scorepad.rules.cards import NO_CARDS, Kind, read_cards
from scorepad.rules.hand import Adjustment, HeldInPoints, PenaltyEntry, SideEntry
from scorepad.rules.judging import judge
from scorepad.rules.variants import settle
from tests.rules.asking import (
    Ask,
    codes,
    discard,
    end_of_stock,
    meld,
    opening,
    out,
    penalty,
    pile,
    red_threes,
    said,
    sources,
    upcard,
)
from tests.rules.hands import hand
from tests.rules.test_worked_rulings import answered

W_MELDS, W_OPENING, W_TAKING = "W:Svolgimento del gioco", "W:L'apertura", "W:Presa del pozzo"
W_FROZEN, W_OUT = "W:Congelamento del pozzo", "W:Chiusura, punteggi e vittoria"
W_STOPS, W_SAMBA, W_MINI = "W:Onori e carte stop", "W:Samba", "W:Variante mini"
W_CANASTONE, W_CUBANA = "W:Canastone", "W:Canasta cubana"
G_MORE, G_PLAY, G_WORDS = "G:Regole sussidiarie", "G:Esecuzione del gioco", "G:Glossario del gioco"
H, E = "H:Regole del classico gioco di carte Canasta", "E:Canasta"
P_MODERN, P_FOOT = "pagat.com:Modern American Canasta", "pagat.com:Hand and Foot"
LEAGUE = "canastaleague.org:Modern American Canasta"

GETTY, ENCICLOPEDIA = {"preset": "getty"}, {"preset": "enciclopedia"}
FEWER_WILDS = {"options": {"wild-limit": "fewer-than-naturals"}}
KEPT = {"options": {"red-threes-may-be-kept": True}}
BOOKS = ("7xQ", "7xK", "5xJ 2x2", "5x9 2x2", "5x2 2xJK")
NOT_EXPOSED = "red-three-not-exposed"
OUT = {"going_out": True}


def unopened(otherwise: str) -> Ask:
    options = {"red-threes-unopened": otherwise}
    return red_threes("classica", 2, opened=False, options=options)


SOURCES = [
    # W Samba: at most two wild cards, and three cards; W Svolgimento and G say three wild cards.
    (meld("samba", "5xK 3x2"), "meld-too-many-wilds", [W_SAMBA]),
    (meld("samba", "2xK"), "meld-too-short", [W_SAMBA, W_MELDS]),
    # W Variante mini: one natural will do, with one wild card or two. G forbids exactly that.
    (meld("mini", "K 2x2"), "meld-mixed", [W_MINI]),
    (meld("mini", "2xK"), "meld-too-short", [W_MELDS, G_WORDS, H, E]),
    # Two naturals and three wild cards: W, G and E allow it; H, and some versions in W, do not.
    (meld("classica", "2xK 3x2"), "meld-mixed", [W_MELDS, G_MORE, E]),
    (meld("classica", "2xK 3x2", **GETTY), "meld-too-many-wilds", [H]),
    (meld("classica", "2xK 3x2", **FEWER_WILDS), "meld-too-many-wilds", [W_MELDS]),
    (meld("classica", "4xK 4x2", **GETTY), "meld-too-many-wilds", [W_MELDS, G_MORE, E]),
    (meld("classica", "3xK 4x2", **GETTY), "meld-too-many-wilds", [W_MELDS, G_MORE, E, H]),
    # Black threes: six cards at most (W); pure in some versions of W, and in H.
    (meld("classica", "4x3b 3x2", **OUT), "meld-kind-not-allowed", [W_OUT]),
    (meld("classica", "2x3b 2", **OUT, **GETTY), "meld-kind-not-allowed", [H]),
    # Openings: G names 50 and no other minimum, E none below zero.
    (opening("classica", "3xA"), "opening-minimum", [W_OPENING, G_MORE, E]),
    (opening("classica", "3xA", "3xK", score=1500), "opening-reached", [W_OPENING, E]),
    (opening("classica", "3xA", "3xK", score=1500), "fault-only-fifty", [G_MORE]),
    (opening("classica", "3x4", score=-5), "opening-reached", [W_OPENING]),
    (opening("cubana", "3xJK", score=5000), "opening-reached", [W_CUBANA]),
    (opening("hand-and-foot", "3xA"), "opening-reached", [P_FOOT]),
    (opening("canastone", "2xJK 2", score=3000), "opening-below-minimum", [W_CANASTONE]),
    (opening("moderna", "2xA 2", "2xK 2", "2xQ 2"), "opening-below-minimum", [LEAGUE, P_MODERN]),
    # Nobody opens with black threes: what W, G and H say of these threes.
    (opening("classica", "3xA", "3x3b"), "opening-below-minimum", [W_STOPS, W_OUT, G_PLAY, H]),
    (opening("classica", hand="3xK 2x8 2"), "opening-hand-kept", [W_OUT, G_PLAY, E]),
    (opening("uruguaiana", "2xA 2", top_card="A"), "top-card-needs-more",
     [W_FROZEN, "W:Canasta uruguaiana"]),
    # Frozen: two naturals by W and G; E takes one and a wild card.
    (pile("classica", "K", "2xK 2", frozen=True), "pile-naturals", [W_FROZEN, G_PLAY, W_TAKING]),
    (pile("classica", "K", "2xK 2", frozen=True, **ENCICLOPEDIA), "pile-with-wild", [E]),
    (pile("classica", "K", "2xK 2", frozen=True, **ENCICLOPEDIA), "fault-wild-unfreezes", [E]),
    (pile("samba", "A", "3xA", opened=False), "pile-opening-reached", [W_TAKING, W_SAMBA]),
    # Red threes: W note 19; W note 18; E, which counts them only after an opening.
    (unopened("negative"), "red-threes-against", [W_OUT]),
    (unopened("to-opponents"), "red-threes-to-opponents", [W_OUT]),
    (unopened("zero"), "red-threes-nothing", [E]),
    (red_threes("bolivia", 2, canastas={"natural-canasta": 2}), "red-threes-against",
     [W_SAMBA, "W:Bolivia"]),
    # A three that is discarded, and a red one in hand, by their own game.
    (discard("mini", "3b"), "discard-stop", [W_MINI]),
    (discard("bolivia", "3b"), "discard-stop", [W_SAMBA, W_STOPS]),
    (discard("moderna", "3r"), "discard-red-three", [LEAGUE, P_MODERN]),
    (out("classica", "7xQ", hand="3r 8 8 8 6"), "hand-threes-to-expose", [W_STOPS, G_PLAY]),
    # Going out against the partner; a price of the count beside that of G.
    (penalty("hand-and-foot", "out-after-no"), "penalty-remedy", [P_FOOT]),
    (penalty("classica", "out-after-no"), "penalty-remedy", [W_OUT, "G:Permesso di chiusura"]),
    (penalty("hand-and-foot", NOT_EXPOSED, options={"held-red-three": 500}), "penalty-counted-once",
     ["rummy-games.com:Hand and Foot"]),
    # The pile that need not be taken.
    (end_of_stock("classica", "7xQ", top="Q", options={"canasta-size": "exactly-seven"}),
     "stock-top-full", [G_PLAY, G_MORE]),
    (end_of_stock("classica", "3xQ", top="Q", options={"pile": "enciclopedia"}),
     "stock-never-laid-off", [G_PLAY, E]),
    ({"kind": "end-of-stock", "variant": "classica"}, "stock-hand-ends",
     ["pagat.com:Canasta", "britannica.com:canasta"]),
]  # fmt: skip


@pytest.mark.parametrize(("ask", "code", "places"), SOURCES)
def test_a_reason_names_the_sources_that_say_it_and_no_other(
    ask: Ask, code: str, places: list[str]
) -> None:
    assert sorted(sources(ask, code)) == sorted(places)


def test_of_sevens_with_wild_cards_the_rule_of_that_is_named_and_not_that_of_the_limit() -> None:
    moderna = settle("moderna")
    for cards, named in (("4x7 2", "natural-only"), ("4xK 3x2", "wild-limit")):
        (reason,) = give_ruling(moderna, MeldQuestion(read_cards(cards))).reasons
        assert reason.rules == (named,)


def test_the_rules_of_a_reason_are_settings_and_statements_each_once() -> None:
    cited_settings = ("opening-steps/1500", "opening-steps", "penalties/exposed-card", "pile")
    assert Reason("opening-reached", cited_settings=cited_settings).rules == (
        "opening-steps",
        "pile",
    )


SENTENCES = [
    # The cards that stay in the hand, and what of them may be discarded.
    (out("classica", "7xQ", hand="8 8 8 6", discard="8"), "hand-cards-stay",
     "restano 3 carte (2 otto e 1 sei) oltre allo scarto."),
    (out("classica", "7xQ", hand="8 8 8 6", discard=None), "hand-cards-stay",
     "resta 1 carta (1 sei), e uno scarto non c'è."),
    (out("classica", "7xQ", hand="8 8 2 K K"), "hand-cards-stay",
     "restano 2 carte (2 otto): se ne può scartare una sola."),
    (out("classica", "7xQ", hand="3b"), "hand-cards-stay",
     "resta 1 carta (1 tre nero): l'ultimo scarto non può essere una matta né un 3."),
    (out("classica", "7xQ", hand="3b 9 J"), "hand-cards-stay",
     "(1 fante, 1 nove e 1 tre nero): se ne può scartare una sola, ma non una matta né un 3."),
    (out("mini", "5xQ", "4xK 2", hand="4x3b 6"), "hand-cards-stay", "resta 1 carta (1 sei) oltre"),
    (out("moderna", "7xQ", "7xK", hand="3r 3b 8 8 8 4"), "hand-threes-to-expose", "(quanti: 2)"),
    # What is needed to go out, by kind where it takes some of each.
    (out("canastone", "7xQ", "5xK 2xJK"), "out-canastas-enough", "naturale e una canasta mista"),
    (out("mini", "5xQ", "4xK 2"), "out-canastas-enough", "una canasta pura e una canasta sporca"),
    (out("hand-and-foot", *BOOKS, permission="granted"), "out-canastas-enough", "pulit"),
    (red_threes("bolivia", 2, canastas={"natural-canasta": 2}), "out-canastas-missing",
     "di cui un'escalera (qui: 0)"),
    (out("moderna", hand="7xA 5xK 2 2 6"), "opening-canasta-after", "re con una naturale in meno"),
    (out("classica", "7xQ", "K 2 2", hand="4"), "meld-too-few-naturals", "Combinazione 2:"),
    (out("samba", "7xQ", "7xK", discard="3r", **KEPT), "out-discard-special", "carta speciale"),
    (out("samba", "7xQ", "7xK", discard="3r"), "out-discard-special", "si espone"),
    (discard("mini", "3s 3c 3s 3c"), "discard-threes-together", "una volta"),
    # Why red threes are worth more together.
    (red_threes("classica", 0), "red-threes-worth", "Nessun 3 rosso esposto"),
    (red_threes("classica", 1), "red-threes-worth", "Un 3 rosso esposto vale 100 punti."),
    (red_threes("classica", 3), "red-threes-worth", "Insieme valgono 300 punti."),
    (red_threes("samba", 6), "red-threes-worth", "(6): insieme valgono 1.000 punti invece di 600."),
    (red_threes("canastone", 4), "red-threes-worth", "il doppio: 800 punti invece di 400."),
    (red_threes("cubana", 2), "red-threes-worth", "ognuno vale: 300 punti invece di 200."),
    # Penalties.
    (penalty("classica", NOT_EXPOSED), "penalty-of", "per ogni 3 rosso"),
    (penalty("classica", NOT_EXPOSED, options={"held-red-three": "once"}), "penalty-of",
     "in tutto, quanti che siano"),
    (penalty("samba", NOT_EXPOSED, **KEPT), "penalty-of", "non è un errore"),
    (penalty("moderna", NOT_EXPOSED), "penalty-of", "500 punti"),
    (penalty("moderna", NOT_EXPOSED), "penalty-counted-once", "toglie invece 5 punti"),
    (penalty("classica", "house"), "penalty-agreed", "con un motivo"),
    # The top card is named whatever becomes of the pile.
    (end_of_stock("classica", "3xQ", top="JK"), "stock-top-special", "un jolly"),
    (end_of_stock("classica", "3xK", top="Q"), "stock-top-fits-nothing", "una donna"),
    (end_of_stock("classica", "3xQ", top="Q"), "stock-must-take", "una donna"),
    (end_of_stock("cubana", "7xQ", top="Q"), "stock-top-full", "ha già 7 carte"),
    (end_of_stock("uruguaiana", "3xQ", top="Q"), "stock-always-frozen", "due donne naturali"),
    # First upcards.
    (upcard("uruguaiana", "2 K"), "upcard-always-frozen", "sempre congelato"),
    (upcard("canastone", "JK", options={"upcard": "big-pile"}), "upcard-big-pile",
     "La fonte non dice che sia congelato, quindi non lo è"),
    (upcard("classica", "5x3r K"), "red-threes-exceeded", "5"),
]  # fmt: skip


@pytest.mark.parametrize(("ask", "code", "sentence"), SENTENCES)
def test_the_sentence_of_a_reason_says_what_is_so_in_this_game(
    ask: Ask, code: str, sentence: str
) -> None:
    assert sentence in said(ask, code)


NOT_TOLD = [
    (meld("classica", "3x3r"), "meld-too-few-naturals"),
    (out("mini", "5xK", "3xQ 2 2", concealed=True), "out-concealed-no-more"),
    (out("classica", "7xQ", hand="3b 8 8 8 4"), "hand-threes-to-expose"),
    (out("samba", "7xQ", "7xK", hand="3r", **KEPT), "hand-threes-to-expose"),
    (out("moderna", hand="7xA 5xK 2 2 6"), "opening-not-out"),
    (out("canastone", "7xQ", "5xK 2xJK"), "wild-canastas-read"),
    (out("hand-and-foot", "7x2", "7xQ"), "wild-canastas-read"),
    (out("samba", "7xQ", "7xK", concealed=True), "out-concealed-opens"),
    (out("tagliagola", "7xQ", permission="granted"), "permission-of-nobody"),
    (out("tre", "7xQ"), "permission-of-nobody"),
    # Wild cards must go first only where they would come on a canasta.
    (out("classica", "6xQ", hand="Q 2"), "way-wilds-first"),
    (out("classica", "5xQ", hand="Q 2", options={"wild-on-canasta": "forbidden"}),
     "way-wilds-first"),
    (out("classica", "6xQ", hand="Q", options={"wild-on-canasta": "forbidden"}), "way-wilds-first"),
    (discard("mini", "4x3r"), "discard-none"),
    (discard("moderna", "2", last=True, table=["7xK"]), "discard-hangs-on-melds"),
    (red_threes("classica", 2), "out-canastas-missing"),
    (red_threes("classica", 2, canastas={"natural-canasta": 1}), "red-threes-canasta-unopened"),
    (red_threes("classica", 2, opened=False, canastas={"mixed-canasta": 0}),
     "red-threes-canasta-unopened"),
    (red_threes("cubana", 2, opened=False, canastas={"natural-canasta": 1}),
     "red-threes-canasta-unopened"),
    (penalty("hand-and-foot", NOT_EXPOSED, options={"held-red-three": 500}), "fault-two-figures"),
    (penalty("moderna", NOT_EXPOSED), "fault-two-figures"),
    (penalty("due", "draw-out-of-turn"), "penalty-without-partner"),
    (penalty("tagliagola", "permission-then-no-out"), "penalty-without-partner"),
]  # fmt: skip


@pytest.mark.parametrize(("ask", "code"), NOT_TOLD)
def test_what_does_not_hold_here_is_not_told(ask: Ask, code: str) -> None:
    assert code not in codes(ask)


@pytest.mark.parametrize(
    ("ask", "word"),
    [
        (out("classica", "7xQ"), "fra queste"),
        (red_threes("due", 11), "coppia"),
        (upcard("classica", "5x3r K"), "coppia"),
        (upcard("cubana", "2 K"), "congela "),
        (end_of_stock("classica", "3xQ", top="Q", options={"pile": "enciclopedia"}), "sempre"),
    ],
)
def test_no_reason_speaks_of_what_this_table_does_not_have(ask: Ask, word: str) -> None:
    assert word not in " ".join(reason["message"] for reason in answered(ask)["reasons"]).lower()


@pytest.mark.parametrize(
    ("ask", "verdict"),
    [
        # W Samba: one two completes the canasta, and the other may not come on it.
        (out("samba", "6xQ", "7xK", hand="2 2"), "forbidden"),
        (out("samba", "6xQ", "7xK", hand="2 9"), "allowed"),
        # Moderna, the fifth king left out: 150 are enough up to 2995 (125), not from 3000 on (155).
        (out("moderna", hand="7xQ 5xK 2 2 6", score=2995), "allowed"),
        (out("moderna", hand="7xQ 5xK 2 2 6", score=3000), "forbidden"),
        (out("moderna", hand="5xQ JK JK 5xK 2 2 6"), "forbidden"),
        # The card drawn last may be the one on top, or one that was laid.
        (end_of_stock("classica", "8xQ", top="K", last_card="Q"), "value"),
    ],
)
def test_the_answer_is_as_worked(ask: Ask, verdict: str) -> None:
    assert answered(ask)["verdict"] == verdict


def test_a_ruling_without_a_play_lays_no_cards() -> None:
    assert Ruling(Verdict.ALLOWED).laid == NO_CARDS


def test_how_many_sit_at_the_table_is_told_nowhere_as_another_codification() -> None:
    assert answered(out("mini", "5xK", "4xQ 2", permission="refused"))["elsewhere"] == []


@pytest.mark.parametrize(
    ("ask", "figure"),
    [(penalty("classica", NOT_EXPOSED), "500"), (penalty("samba", NOT_EXPOSED, **KEPT), "750")],
)
def test_a_red_three_in_hand_has_one_price_where_the_count_has_none_of_its_own(
    ask: Ask, figure: str
) -> None:
    told = answered(ask)
    for reason in told["reasons"]:
        numbers = {word for word in reason["message"].split() if word.isdigit()} - {"3"}
        assert numbers <= {figure} or reason["code"].startswith("fault-")
    assert (
        describe_verdict("penalty", told["verdict"], told["details"], words("it")) == f"−{figure}"
    )


@pytest.mark.parametrize(
    ("variant", "entry", "word", "is_there"),
    [
        ("mini", SideEntry(penalties=(PenaltyEntry("draw-out-of-turn"),)), "non ha penalità", True),
        ("mini", SideEntry(penalties=(PenaltyEntry("draw-out-of-turn"),)), ": .", False),
        ("classica", SideEntry(penalties=(PenaltyEntry("misdeal"),)), "draw-out-of-turn", True),
        # Points that the table decided are not told as cards.
        ("classica", SideEntry(left=HeldInPoints(7)), "le carte", True),
        ("classica", SideEntry(penalties=(PenaltyEntry("house", 7, "patto"),)), "le carte", False),
        ("classica", SideEntry(adjustments=(Adjustment(7, "patto"),)), "le carte", False),
    ],
)
def test_a_problem_of_penalties_and_points_is_told_as_what_it_is(
    variant: str, entry: SideEntry, word: str, *, is_there: bool
) -> None:
    (found,) = judge(settle(variant), hand(entry, SideEntry())).findings
    assert (word in describe_finding(found, ("noi", "loro"), words("it"))) is is_there


@pytest.mark.parametrize(
    "kept",
    [
        Reason("hand-cards-stay", {"cards": 1}),
        Reason("out-canastas-enough", {"needed": 1, "has": 1}),
        Reason("red-threes-worth", {"count": 2, "worth": 200}),
        Reason("penalty-counted-once", {"points": 500}),
        Reason("stock-top-fits-nothing"),
        Reason("stock-always-frozen", {"card": Kind.QUEEN, "naturals": 2}),
        Reason("discard-threes-together", {"card": Kind.BLACK_THREE, "threes": 4}),
    ],
    ids=lambda kept: kept.code,
)
def test_a_reason_kept_before_its_cards_were_told_keeps_its_words(kept: Reason) -> None:
    """Reasons as they were kept with a match before their messages were told apart."""
    for language in ("it", "en"):
        told = explain_reason(kept, words(language))
        assert told.endswith(".")
        assert "%(" not in told


def test_a_house_that_needs_no_canasta_says_so() -> None:
    """Three kings and a discard: nothing is wanting where no canasta is needed to go out."""
    rules = settle("classica")
    none_needed = replace(rules, settings=replace(rules.settings, canastas_needed=0))
    ruling = give_ruling(none_needed, OutQuestion((read_cards("3xK"),), discard=read_cards("4")))
    (reason,) = [each for each in ruling.reasons if each.code == "out-canastas-enough"]
    assert (reason.arguments["needed"], reason.arguments["why"]) == (0, "none")
