"""Rulings on red threes, penalties and the end of the stock: what they rest on and how they are
told.

Worked by hand from the sources; see `tests/rulings/cases` for the answers themselves.
"""

from __future__ import annotations

from typing import Any

import pytest

from scorepad.i18n import words
from scorepad.i18n.findings import finding_text
from scorepad.i18n.verdicts import verdict_word
from scorepad.matches.actions import penalty_points
from scorepad.referee.answering import rule
from scorepad.referee.questions import PenaltyQuestion
from scorepad.rules.hand import Adjustment, HeldInPoints, PenaltyEntry, SideEntry
from scorepad.rules.judging import judge
from scorepad.rules.variants import settle
from tests.rules.hands import hand
from tests.rules.test_rulings_out import codes, said, sources
from tests.rules.test_worked_rulings import answered

W_END, W_SAMBA = "W:Chiusura, punteggi e vittoria", "W:Samba"


def threes(variant: str, count: int, **more: Any) -> dict[str, Any]:
    return {"kind": "red-threes", "variant": variant, "count": count, **more}


def unopened(otherwise: str) -> dict[str, Any]:
    return threes("classica", 2, opened=False, options={"red-threes-unopened": otherwise})


def penalty(variant: str, code: str, **more: Any) -> dict[str, Any]:
    return {"kind": "penalty", "variant": variant, "code": code, **more}


def stock(variant: str = "classica", *table: str, **more: Any) -> dict[str, Any]:
    options = {"end-of-stock": "giochi", **more.pop("options", {})}
    return {
        "kind": "end-of-stock",
        "variant": variant,
        "options": options,
        "table": list(table),
        **more,
    }


# --------------------------------------------------------------------------------------- red threes


@pytest.mark.parametrize(
    ("ask", "code", "places"),
    [
        # W note 19; W note 18; E, which counts them only after an opening. G says nothing of an
        # unopened side.
        (unopened("negative"), "red-threes-against", [W_END]),
        (unopened("to-opponents"), "red-threes-to-opponents", [W_END]),
        (unopened("zero"), "red-threes-nothing", ["E:Canasta"]),
        (threes("classica", 2), "red-threes-for", [W_END, "E:Canasta"]),
        (threes("cubana", 2), "red-threes-against", ["W:Canasta cubana"]),
        (threes("samba", 2), "red-threes-against", [W_SAMBA]),
        (threes("bolivia", 2, canastas={"natural-canasta": 2}), "red-threes-against", [W_SAMBA, "W:Bolivia"]),
        (threes("canastone", 2), "red-threes-twice-against", ["W:Canastone"]),
        (threes("hand-and-foot", 2), "red-threes-always", ["pagat.com:Hand and Foot"]),
    ],
)  # fmt: skip
def test_what_becomes_of_red_threes_rests_on_the_sources_that_decide_it(
    ask: dict[str, Any], code: str, places: list[str]
) -> None:
    assert sources(ask, code) == places


def test_the_canastas_that_are_missing_are_told_by_kind() -> None:
    told = said(threes("bolivia", 2, canastas={"natural-canasta": 2}), "out-canastas-missing")
    assert "di cui un'escalera (qui: 0)" in told
    enough = threes("bolivia", 2, canastas={"natural-canasta": 1, "samba": 1})
    assert "out-canastas-missing" not in codes(enough)
    assert "out-canastas-missing" not in codes(threes("classica", 2))


@pytest.mark.parametrize(
    ("variant", "count", "told"),
    [
        ("classica", 0, "Nessun 3 rosso esposto"),
        ("classica", 1, "Un 3 rosso esposto vale 100 punti."),
        ("classica", 3, "3 rossi esposti: 3. Insieme valgono 300 punti."),
        ("classica", 4, "I 3 rossi ci sono tutti (4): insieme valgono 800 punti invece di 400."),
        ("messicana", 6, "I 3 rossi ci sono tutti (6): insieme valgono 1.200 punti invece di 600."),
        ("samba", 6, "I 3 rossi ci sono tutti (6): insieme valgono 1.000 punti invece di 600."),
        ("canastone", 4, "valgono il doppio: 800 punti invece di 400."),
        ("canastone", 6, "valgono il doppio: 1.200 punti invece di 600."),
        ("cubana", 2, "ognuno vale: 300 punti invece di 200."),
        ("cubana", 4, "ognuno vale: 1.000 punti invece di 400."),
        ("hand-and-foot", 10, "3 rossi esposti: 10. Insieme valgono 1.000 punti."),
    ],
)
def test_why_red_threes_are_worth_more_together_is_told(
    variant: str, count: int, told: str
) -> None:
    assert told in said(threes(variant, count), "red-threes-worth")


def test_more_red_threes_than_there_are_cannot_be_and_nobody_is_called_a_pair() -> None:
    for variant in ("classica", "due", "mini"):
        told = answered(threes(variant, 11))
        assert (told["verdict"], told["details"]) == ("forbidden", {})
        assert "coppia" not in told["reasons"][0]["message"]
    # Three decks (read), six red threes.
    assert answered(threes("mini", 6))["verdict"] == "value"


def test_canastas_of_a_side_that_did_not_open_are_remarked_where_the_opening_matters() -> None:
    canasta = {"natural-canasta": 1}
    assert "red-threes-canasta-unopened" in codes(
        threes("classica", 2, opened=False, canastas=canasta)
    )
    assert "red-threes-canasta-unopened" not in codes(threes("classica", 2, canastas=canasta))
    assert "red-threes-canasta-unopened" not in codes(
        threes("classica", 2, opened=False, canastas={"mixed-canasta": 0})
    )
    assert "red-threes-canasta-unopened" not in codes(
        threes("cubana", 2, opened=False, canastas=canasta)
    )


# ---------------------------------------------------------------------------------------- penalties

NOT_EXPOSED = "red-three-not-exposed"


@pytest.mark.parametrize(
    ("ask", "figure", "told"),
    [
        (penalty("classica", NOT_EXPOSED), "500", "per ogni 3 rosso"),
        (
            penalty("classica", NOT_EXPOSED, options={"held-red-three": "once"}),
            "500",
            "in tutto, quanti che siano",
        ),
        (
            penalty("hand-and-foot", NOT_EXPOSED, options={"held-red-three": 500}),
            "500",
            "per ogni 3 rosso",
        ),
        (
            penalty("samba", NOT_EXPOSED, options={"red-threes-may-be-kept": True}),
            "750",
            "non è un errore",
        ),
    ],
)
def test_a_red_three_in_hand_has_one_price_where_the_count_has_none_of_its_own(
    ask: dict[str, Any], figure: str, told: str
) -> None:
    answer = answered(ask)
    assert told in said(ask, "penalty-of")
    for reason in answer["reasons"]:
        named = {word for word in reason["message"].split() if word.isdigit()} - {"3"}
        assert named <= {figure} or reason["code"].startswith("fault-"), reason
    assert (
        verdict_word("penalty", answer["verdict"], answer["details"], words("it")) == f"−{figure}"
    )


@pytest.mark.parametrize(("variant", "price"), [("moderna", "5"), ("hand-and-foot", "100")])
def test_where_the_count_has_a_price_of_its_own_it_is_told_beside_the_penalty(
    variant: str, price: str
) -> None:
    ask = penalty(variant, NOT_EXPOSED)
    assert answered(ask)["details"] == {"points": 500, "held": int(price)}, (
        "as the count takes it for this code, in every game but mini"
    )
    assert "500 punti" in said(ask, "penalty-of")
    assert f"toglie invece {price} punti" in said(ask, "penalty-counted-once")


def test_where_a_red_three_may_be_kept_a_ruling_takes_no_points() -> None:
    kept = settle("samba", None, {"red-threes-may-be-kept": True})
    assert penalty_points(rule(kept, PenaltyQuestion(NOT_EXPOSED))) == 0
    for variant in ("samba", "moderna", "hand-and-foot"):
        assert penalty_points(rule(settle(variant), PenaltyQuestion(NOT_EXPOSED))) == 500


def test_only_the_price_of_g_carries_its_two_figures_and_its_reading() -> None:
    assert "fault-two-figures" in codes(penalty("classica", NOT_EXPOSED))
    bicycle = penalty("hand-and-foot", NOT_EXPOSED, options={"held-red-three": 500})
    assert sources(bicycle, "penalty-counted-once") == ["rummy-games.com:Hand and Foot"]
    assert "fault-two-figures" not in codes(bicycle)
    assert "fault-two-figures" not in codes(penalty("moderna", NOT_EXPOSED))


def test_a_penalty_of_the_table_has_two_conditions() -> None:
    told = said(penalty("classica", "house"), "penalty-agreed")
    assert "con un motivo" in told
    assert "multiplo di 5" in told


@pytest.mark.parametrize("code", ["meld-out-of-turn-partner", "permission-then-no-out"])
def test_where_everybody_plays_alone_what_takes_a_partner_does_not_happen(code: str) -> None:
    for variant in ("due", "tre"):
        assert "penalty-without-partner" in codes(penalty(variant, code))
        assert "penalty-without-partner" not in codes(penalty(variant, "draw-out-of-turn"))
    for variant in ("tagliagola", "classica"):
        assert "penalty-without-partner" not in codes(penalty(variant, code))


def test_going_out_against_the_partner_rests_on_what_the_game_says_of_permission() -> None:
    assert sources(penalty("hand-and-foot", "out-after-no"), "penalty-remedy") == [
        "pagat.com:Hand and Foot"
    ]
    assert sources(penalty("classica", "out-after-no"), "penalty-remedy") == [
        W_END,
        "G:Permesso di chiusura",
    ]


def test_a_penalty_in_a_game_without_any_is_told_without_an_empty_list() -> None:
    for language, word in (("it", "non ha penalità"), ("en", "no penalties")):
        entry = SideEntry(penalties=(PenaltyEntry("draw-out-of-turn"),))
        (found,) = judge(settle("mini"), hand(entry, SideEntry())).findings
        told = finding_text(found, ("noi", "loro"), words(language))
        assert word in told
        assert ": ." not in told
    known = judge(
        settle("classica"), hand(SideEntry(penalties=(PenaltyEntry("misdeal"),)), SideEntry())
    ).findings
    assert "draw-out-of-turn" in finding_text(known[0], ("noi", "loro"), words("it"))


@pytest.mark.parametrize(
    ("entry", "of_cards"),
    [
        (SideEntry(left=HeldInPoints(7)), True),
        (SideEntry(penalties=(PenaltyEntry("house", 7, "patto"),)), False),
        (SideEntry(adjustments=(Adjustment(7, "patto"),)), False),
    ],
)
def test_points_that_the_table_decided_are_not_told_as_cards(
    entry: SideEntry, *, of_cards: bool
) -> None:
    found = judge(settle("classica"), hand(entry, SideEntry())).findings
    (odd,) = [finding for finding in found if finding.code == "points-not-multiple"]
    assert ("le carte" in finding_text(odd, ("noi", "loro"), words("it"))) is of_cards


# ----------------------------------------------------------------------------- the end of the stock


@pytest.mark.parametrize(
    ("top", "table", "code"),
    [
        ("JK", "3xQ", "stock-top-special"),
        ("2", "3xQ", "stock-top-special"),
        ("3b", "3xQ", "stock-top-special"),
        ("3r", "3xQ", "stock-top-special"),
        ("Q", "3xK", "stock-top-fits-nothing"),
        ("Q", "3xQ K", "stock-top-fits-nothing"),
        ("Q", "3xQ", "stock-must-take"),
    ],
)
def test_the_top_card_is_named_whatever_becomes_of_the_pile(
    top: str, table: str, code: str
) -> None:
    names = {
        "JK": "un jolly",
        "2": "una pinella",
        "3b": "un 3 nero",
        "3r": "un 3 rosso",
        "Q": "una donna",
    }
    assert names[top] in said(stock("classica", table, top=top), code)


def test_a_column_that_is_full_is_told_as_that() -> None:
    seven = stock("classica", "7xQ", top="Q", options={"canasta-size": "exactly-seven"})
    assert "ha già 7 carte" in said(seven, "stock-top-full")
    assert sources(seven, "stock-top-full") == ["G:Esecuzione del gioco", "G:Regole sussidiarie"]
    assert "W:Canasta cubana" in sources(stock("cubana", "7xQ", top="Q"), "stock-top-full")
    # Where canastas may be longer the eighth queen goes there; another column of queens takes it as
    # well.
    assert "stock-must-take" in codes(stock("classica", "7xQ", top="Q"))
    assert "stock-must-take" in codes(
        stock("messicana", "7xQ", "3xQ", top="Q", options={"canasta-size": "exactly-seven"})
    )


def test_where_only_cards_of_the_hand_take_the_pile_that_condition_is_told() -> None:
    always = stock("uruguaiana", "3xQ", top="Q")
    assert "almeno due donne naturali" in said(always, "stock-always-frozen")
    assert "sempre congelato" in said(always, "stock-always-frozen")
    never = stock("classica", "3xQ", top="Q", options={"pile": "enciclopedia"})
    assert sources(never, "stock-never-laid-off") == ["G:Esecuzione del gioco", "E:Canasta"]
    assert "sempre congelato" not in said(never, "stock-never-laid-off")
    for ask in (always, never):
        told = answered(ask)
        assert told["details"] == {"hand_ends": False, "must_take": True, "may_discard": True}


def test_the_sentence_agrees_with_the_word_that_the_hand_ends() -> None:
    usual = answered({"kind": "end-of-stock", "variant": "classica", "last_card": "9"})
    assert usual["details"]["hand_ends"] is True
    assert usual["reasons"][0]["message"].startswith("La smazzata finisce")
    for ask in (
        stock(),
        stock("classica", "3xK", top="Q"),
        stock("classica", "3xQ", top="Q", pile_has_wild=True),
    ):
        told = answered(ask)
        assert told["details"]["hand_ends"] is True
        assert "la smazzata finisce" in told["reasons"][0]["message"]


def test_cards_that_cannot_be_oblige_nobody() -> None:
    assert answered(stock("classica", "8xQ", top="Q"))["verdict"] == "forbidden"
    # The card drawn last may be the one discarded on top, or one that was laid: it is not counted
    # beside them.
    assert answered(stock("classica", "7xQ", top="Q", last_card="Q"))["verdict"] == "value"
    assert answered(stock("classica", "8xQ", top="K", last_card="Q"))["verdict"] == "value"
