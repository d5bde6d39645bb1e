"""What must hold for every hand, legal or not."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from scorepad.contract import answer, read_asked
from scorepad.i18n import words
from scorepad.rules.judge import judge
from scorepad.rules.variants import get_variant, variant_ids

TOKENS = [*"AKQJ987654", "10", "2", "JK", "3b", "3r", "Qh", "10s", "3", "X"]
tokens = st.builds(lambda count, card: f"{count}x{card}", st.integers(1, 8), st.sampled_from(TOKENS))
some_cards = st.lists(tokens, max_size=4).map(" ".join)
melds = st.one_of(
    some_cards,
    st.builds(
        lambda n, card, w: f"{n}x{card} {w}x2", st.integers(2, 7), st.sampled_from(TOKENS[:10]), st.integers(1, 3)
    ),
    st.builds(lambda n, card: f"{n}x{card}", st.integers(3, 8), st.sampled_from(TOKENS[:10])),
)
left = st.one_of(some_cards, st.integers(-5, 60).map(lambda n: 5 * n))
penalties = st.lists(
    st.one_of(
        st.sampled_from(["draw-out-of-turn", "red-three-not-exposed", "meld-out-of-turn-partner", "burping"]),
        st.builds(
            lambda n: {"code": "house", "points": n, "reason": "parla"}, st.integers(-2, 30).map(lambda n: 5 * n)
        ),
    ),
    max_size=3,
)


@st.composite
def sides(draw: st.DrawFn, many: bool) -> dict[str, Any]:
    side: dict[str, Any] = {"red_threes": draw(st.integers(0, 4)), "penalties": draw(penalties)}
    how = draw(st.sampled_from(["melds", "melds", "totals", "nothing"]))
    if how == "melds":
        side["melds"] = draw(st.lists(melds, max_size=5))
    elif how == "totals":
        canastas = {"natural-canasta": draw(st.integers(0, 3)), "mixed-canasta": draw(st.integers(0, 3))}
        side["totals"] = {"canastas": canastas, "cards": draw(st.integers(-3, 200)) * 5}
    side["left"] = draw(left) if many else draw(st.one_of(st.just(""), left))
    return side


@st.composite
def hands(draw: st.DrawFn) -> dict[str, Any]:
    variant = draw(st.sampled_from(variant_ids()))
    players = get_variant(variant).settings["sides"].value
    names = ["noi", "loro", "altri"][: len(players)]
    options = {}
    for option in get_variant(variant).options.values():
        values = [value.value for value in option.values if value.only_sides in (None, len(players))]
        if values and draw(st.booleans()):
            options[option.id] = draw(st.sampled_from(values))
    return {
        "variant": variant,
        "options": options,
        "before": {name: draw(st.integers(-400, 1200)) * 5 for name in names},
        "sides": {name: draw(sides(many=players[0] > 1)) for name in names},
        "out": draw(st.one_of(st.none(), st.fixed_dictionaries(
            {"side": st.sampled_from(names), "concealed": st.booleans()},
            optional={"discard": st.sampled_from([None, "6", "2", "3r", "Z"])},
        ))),
    }  # fmt: skip


def told(hand: dict[str, Any]) -> dict[str, Any]:
    asked = read_asked(json.dumps(hand))
    return answer(judge(asked.rules, asked.hand), asked.hand, words("it"))


@given(hands())
@settings(max_examples=400, deadline=None)
def test_every_hand_is_scored_whole_or_refused_with_reasons(hand: dict[str, Any]) -> None:
    result = told(hand)
    errors = [problem for problem in result["problems"] if problem["severity"] == "error"]
    assert result["valid"] is not bool(errors)
    places = [(problem["code"], problem["where"]) for problem in result["problems"]]
    assert len(places) == len(set(places))
    for problem in result["problems"]:
        assert problem["message"] != f"problem.{problem['code']}"
        assert "%(" not in problem["message"]
    if not result["valid"]:
        assert result["sides"] is result["match"] is None
        return
    for name, side in result["sides"].items():
        assert side["hand"] == sum(line["points"] for line in side["lines"])
        assert side["total"] == hand["before"][name] + side["hand"]
        assert all(line["count"] != 0 for line in side["lines"])
        assert all(line["sources"] or line.get("code") == "house" for line in side["lines"])


@given(hands())
@settings(max_examples=200, deadline=None)
def test_exchanging_the_sides_exchanges_the_scores(hand: dict[str, Any]) -> None:
    names = list(hand["before"])
    if hand["variant"] == "cinque":
        return  # its sides are not of one size
    swapped = {**hand, "before": {name: hand["before"][name] for name in reversed(names)}}
    one, other = told(hand), told(swapped)
    assert one["sides"] == other["sides"]
    assert one["valid"] is other["valid"]
    assert {(p["code"], p["where"]) for p in one["problems"]} == {(p["code"], p["where"]) for p in other["problems"]}


@given(hands())
@settings(max_examples=100, deadline=None)
def test_the_same_hand_has_the_same_answer_in_both_languages_but_for_the_words(hand: dict[str, Any]) -> None:
    asked = read_asked(json.dumps(hand))
    judgement = judge(asked.rules, asked.hand)
    italian, english = (answer(judgement, asked.hand, words(language)) for language in ("it", "en"))
    for problem, told_in_english in zip(italian["problems"], english["problems"], strict=True):
        assert problem.pop("message") != told_in_english.pop("message")
    assert italian == english
