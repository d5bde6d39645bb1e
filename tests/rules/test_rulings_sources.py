"""What a ruling on laid cards cites says it: no source is named for what it denies, or for what it
never speaks of.

The places are those of the sources' own texts: W's section, G's heading, H and E.
"""

from __future__ import annotations

from typing import Any

import pytest

from scorepad.referee.answering import rule
from scorepad.referee.questions import MeldQuestion, OpeningQuestion, PileQuestion
from scorepad.referee.ruling import Reason, Ruling, Verdict
from scorepad.rules.cards import NO_CARDS, read_cards
from scorepad.rules.variants import settle

W_MELDS, W_OPENING, W_TAKING = "W:Svolgimento del gioco", "W:L'apertura", "W:Presa del pozzo"
W_FROZEN, W_OUT, W_STOPS = (
    "W:Congelamento del pozzo",
    "W:Chiusura, punteggi e vittoria",
    "W:Onori e carte stop",
)
G_MORE, G_PLAY, G_WORDS = "G:Regole sussidiarie", "G:Esecuzione del gioco", "G:Glossario del gioco"
H, E, P_MODERN = (
    "H:Regole del classico gioco di carte Canasta",
    "E:Canasta",
    "pagat.com:Modern American Canasta",
)


def meld(cards: str, on: str | None = None, *, out: bool = False) -> MeldQuestion:
    return MeldQuestion(read_cards(cards), None if on is None else read_cards(on), out)


def opens(score: int, *melds: str, top: str | None = None, deal: int = 1) -> OpeningQuestion:
    return OpeningQuestion(
        score, tuple(map(read_cards, melds)), None if top is None else read_cards(top), deal=deal
    )


def pile(top: str, *laid: str, table: str = "", **more: Any) -> PileQuestion:
    lying = (read_cards(table),) if table else ()
    return PileQuestion(read_cards(top), laid=tuple(map(read_cards, laid)), table=lying, **more)


def answered(table: str, question: Any, **options: Any) -> Ruling:
    """The answer at a table: `variant` or `variant/preset`."""
    variant, _, preset = table.partition("/")
    return rule(
        settle(
            variant,
            preset or None,
            {name.replace("_", "-"): value for name, value in options.items()},
        ),
        question,
    )


RATIO = {"wild_limit": "fewer-than-naturals"}
CASES: list[tuple[str, Any, dict[str, Any], str, tuple[str, ...]]] = [
    # W Samba: at most two. W Svolgimento and G say three.
    ("samba", meld("5xK 3x2"), {}, "meld-too-many-wilds", ("W:Samba",)),
    ("samba", meld("5xK 2x2"), {}, "meld-mixed", (W_MELDS, "W:Samba")),
    # W Samba says three cards too; G's glossary speaks of what is no meld of the samba.
    ("samba", meld("2xK"), {}, "meld-too-short", ("W:Samba", W_MELDS)),
    # W Variante mini: one natural will do, with one wild card or two. G forbids exactly that.
    ("mini", meld("K 2x2"), {}, "meld-mixed", ("W:Variante mini",)),
    ("mini", meld("2xK 3x2"), {}, "meld-too-many-wilds", ("W:Variante mini",)),
    ("mini", meld("3x2"), {}, "meld-too-short", ("W:Variante mini",)),
    ("mini", meld("2xK"), {}, "meld-too-short", (W_MELDS, G_WORDS, H, E)),
    # Two naturals and three wild cards: W, G and E allow it; H, and some versions in W, do not.
    ("classica", meld("2xK 3x2"), {}, "meld-mixed", (W_MELDS, G_MORE, H, E)),
    ("classica/getty", meld("2xK 3x2"), {}, "meld-too-many-wilds", (H,)),
    ("classica", meld("2xK 3x2"), RATIO, "meld-too-many-wilds", (W_MELDS,)),
    # Four wild cards with four naturals are too many for all of them.
    ("classica", meld("4xK 4x2"), {}, "meld-too-many-wilds", (W_MELDS, G_MORE, E)),
    ("classica/getty", meld("4xK 4x2"), {}, "meld-too-many-wilds", (W_MELDS, G_MORE, E)),
    ("classica/getty", meld("3xK 4x2"), {}, "meld-too-many-wilds", (W_MELDS, G_MORE, E, H)),
    ("classica/getty", meld("2xK 2"), {}, "meld-mixed", (W_MELDS, G_MORE, H, E)),
    # Black threes: six cards at most (W); pure in some versions of W, and in H.
    ("classica", meld("4x3b 3x2", out=True), {}, "meld-kind-not-allowed", (W_OUT,)),
    ("classica/getty", meld("2x3b 2", out=True), {}, "meld-kind-not-allowed", (W_OUT, H)),
    ("samba", meld("2x3b 2", out=True), {}, "meld-kind-not-allowed", ("W:Samba",)),
    ("canastone", meld("3x3b", out=True), {}, "meld-kind-not-allowed", ("W:Canastone",)),
    # Openings: G names 50 and no other minimum, E none below zero.
    ("classica", opens(0, "3xA"), {}, "opening-minimum", (W_OPENING, G_MORE, E)),
    ("classica", opens(0, "3xA"), {}, "opening-reached", (W_OPENING, G_MORE, E)),
    ("classica", opens(1500, "3xA", "3xK"), {}, "opening-minimum", (W_OPENING, E)),
    ("classica", opens(1500, "3xA", "3xK"), {}, "opening-reached", (W_OPENING, E)),
    ("classica", opens(3000, "3xA"), {}, "opening-below-minimum", (W_OPENING, E)),
    ("classica", opens(0, "3xK"), {}, "opening-below-minimum", (W_OPENING, G_MORE, E)),
    ("classica", opens(-5, "3x4"), {}, "opening-reached", (W_OPENING,)),
    ("samba", opens(0, "3xA"), {}, "opening-reached", ("W:Samba",)),
    ("canastone", opens(0, "3xA"), {}, "opening-reached", ("W:Canastone",)),
    ("canastone", opens(0, "3xK", "2xA 2"), {}, "opening-below-minimum", ("W:Canastone",)),
    ("hand-and-foot", opens(0, "3xA"), {}, "opening-reached", ("pagat.com:Hand and Foot",)),
    ("cubana", opens(5000, "3xJK"), {}, "opening-reached", ("W:Canasta cubana",)),
    # Nobody opens with black threes: what W, G and H say of these threes.
    ("classica", opens(0, "3xA", "3x3b"), {}, "opening-below-minimum", (W_STOPS, W_OUT, G_PLAY, H)),
    ("moderna", opens(0, "2xA 2", "2xK 2", "2xQ 2"), {}, "opening-below-minimum",
     ("canastaleague.org:Modern American Canasta", P_MODERN)),
    ("canastone", opens(3000, "2xJK 2"), {}, "opening-below-minimum", ("W:Canastone",)),
    ("uruguaiana", opens(0, "2xA 2", top="A"), {}, "top-card-needs-more", (W_FROZEN, "W:Canasta uruguaiana")),
    ("samba", opens(0, "2xA 2", top="A"), {}, "top-card-needs-more", ("W:Samba",)),
    ("moderna", opens(0, "4xK", "3xA 2 2", top="K"), {}, "top-card-not-refereed", ()),
    # Frozen: two naturals by W and G; E takes one and a wild card.
    ("classica", pile("K", "2xK 2", frozen=True), {}, "pile-naturals", (W_FROZEN, G_PLAY, W_TAKING)),
    ("canastone", pile("K", "3xK", frozen=True), {}, "pile-naturals", ("W:Canastone",)),
    ("classica/enciclopedia", pile("K", "2xK 2", frozen=True), {}, "pile-with-wild", (E,)),
    ("classica/giochi", pile("K", table="7xK"), {}, "pile-meld-full", (G_MORE,)),
    ("classica", pile("K", "3xK", "3xA", opened=False, score=1500), {}, "pile-opening-reached",
     (W_TAKING, W_OPENING, E)),
    ("samba", pile("A", "3xA", opened=False), {}, "pile-opening-reached", (W_TAKING, "W:Samba")),
    # What is not told is told by nobody.
    ("moderna", pile("K", "3xK"), {}, "pile-not-refereed", ()),
    ("hand-and-foot", pile("K", "3xK"), {}, "pile-not-refereed", ()),
    # A hand that keeps two cards, since who does not go out stays in.
    ("classica", OpeningQuestion(hand=read_cards("3xK 2x8 2")), {}, "opening-hand-kept", (W_OUT, G_PLAY, E)),
]  # fmt: skip


@pytest.mark.parametrize(("table", "question", "options", "code", "places"), CASES)
def test_a_reason_names_the_sources_that_say_it_and_no_other(
    table: str, question: Any, options: dict[str, Any], code: str, places: tuple[str, ...]
) -> None:
    answer = answered(table, question, **options)
    (sources,) = [why.sources for why in answer.reasons if why.code == code]
    assert sorted(sources) == sorted(places)


def test_that_a_source_names_only_fifty_is_told_beside_the_minimum_that_it_does_not_say() -> None:
    reasons = answered("classica", opens(1500, "3xA", "3xK")).reasons
    assert [why.code for why in reasons if G_MORE in why.sources] == ["fault-only-fifty"]


def test_of_sevens_with_wild_cards_the_source_of_that_is_named_and_not_that_of_the_limit() -> None:
    rules = settle("moderna")
    (why,) = rule(rules, meld("4x7 2")).reasons
    assert why.rules == ("natural-only",)
    assert [found.rules for found in rule(rules, meld("4xK 3x2")).reasons] == [("wild-limit",)]


def test_the_rules_of_a_reason_are_settings_and_statements_each_once() -> None:
    grounds = ("opening-steps/1500", "opening-steps", "penalties/exposed-card", "pile")
    assert Reason("opening-reached", grounds=grounds).rules == ("opening-steps", "pile")


def test_a_ruling_without_a_play_lays_no_cards() -> None:
    assert Ruling(Verdict.ALLOWED).laid == NO_CARDS
