"""The count as it stands while it is typed."""

from __future__ import annotations

from collections.abc import Iterator

from scorepad.i18n import Words
from scorepad.rules.score import Line
from scorepad.rules.variants import Ruleset
from scorepad.web.count.fields import Tone
from scorepad.web.count.needs import Needs
from scorepad.web.count.occasions import Occasion, Side
from scorepad.web.count.telling import Telling
from scorepad.web.count.values import Live, LiveLine, LiveSide
from scorepad.web.presenters import line_anchor, line_word, place_url, rules_url


def live_of(occasion: Occasion, telling: Telling, words: Words) -> Live:
    """What each side has so far, what is missing and what is wrong."""
    sides = tuple(_side(side, occasion.rules, telling, words) for side in occasion.sides)
    problems = telling.of_tone(Tone.ERROR)
    told = words.plural("count.live.problems", len(problems)) if problems else " ".join(_told(sides, words))
    missing = tuple(part.error for part in telling.missing if part.error not in problems)
    return Live(told, sides, missing, problems, telling.of_tone(Tone.WARNING), telling.of_tone(Tone.AGREED))


def _told(sides: tuple[LiveSide, ...], words: Words) -> Iterator[str]:
    for side in sides:
        if side.hand:
            yield words.text("count.live.told", side=side.name, hand=side.hand, total=side.total)


def _side(side: Side, rules: Ruleset, telling: Telling, words: Words) -> LiveSide:
    score = telling.score(side.position)
    if score is None:
        return LiveSide(side.name, "", "", (), words.text(f"count.live.none.{telling.waits_for(side.position)}"))
    book = rules_url(rules)
    lines = tuple(
        LiveLine(
            _label(line, rules, words, concealed=telling.concealed),
            words.signed(line.points),
            place_url(book, line_anchor(line.item, line.code)),
        )
        for line in score.lines
    )
    return LiveSide(side.name, words.signed(score.hand), words.figure(score.total), lines)


def _label(line: Line, rules: Ruleset, words: Words, *, concealed: bool) -> str:
    """What a line is for, in words, with how many."""
    if line.item == "out":
        return _going_out(line, rules, words, concealed=concealed)
    name = line_word(line, words, concealed=concealed, variant=rules.variant)
    return words.text("count.line", name=name, count=line.count) if line.count and line.count > 1 else name


def _going_out(line: Line, rules: Ruleset, words: Words, *, concealed: bool) -> str:
    """The kind of going out: that for the canastas with which it was done, where those are what is scored."""
    settings = rules.settings
    plain = settings.concealed_out_bonus if concealed else settings.out_bonus
    base = plain if settings.out_bonus_adds == "sum" else 0
    for bonus in settings.out_bonus_canastas:
        if line.points > plain and line.points == base + bonus.points:
            return words.text("count.line.out.canastas", canastas=bonus.canastas)
    return line_word(line, words, concealed=concealed and Needs(rules).concealed, variant=rules.variant)
