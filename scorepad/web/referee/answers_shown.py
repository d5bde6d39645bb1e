"""The answer to a question as a page: the word, why, the facts, remedy and penalty, and what differs elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from flask import url_for

from scorepad.i18n import Words
from scorepad.i18n.findings import cards_in_words
from scorepad.matches.rulings import DEPENDS, answer_word, other_answer
from scorepad.referee.answers import Play, Reason, Ruling, Verdict
from scorepad.referee.irregularities import Costs, Irregularity, irregularities
from scorepad.rules.citations import Cited, Standing
from scorepad.rules.entries import HOUSE
from scorepad.rules.variants import Ruleset
from scorepad.web.citing import places
from scorepad.web.forms import form_errors
from scorepad.web.referee.answering import Answered
from scorepad.web.referee.asking import Asking
from scorepad.web.referee.facts import facts_of
from scorepad.web.referee.others_shown import Here, depends_told
from scorepad.web.referee.pages import AnswerPage, Fault, Keeping, Playing, Why
from scorepad.web.referee.placing import place_of, red_three_in_the_pile
from scorepad.web.referee.questions import PILE

_REMEDY = "penalty-remedy"
_COST = ("penalty-of", "penalty-without-points", "penalty-agreed")
"""The reasons of an answer about a mistake that stand under headings of their own."""

UrlOf = Mapping[str, str]
"""The code of what goes wrong to where its answer is."""


def answer_page(
    asking: Asking, answered: Answered, playing: Playing, start: str, fault_urls: UrlOf, keeping: Keeping | None
) -> AnswerPage:
    """The page of an answer. `keeping` keeps it with the match, where there is one to keep it with."""
    words, rules, kind = asking.situation.words, asking.situation.rules, asking.question.kind
    told, ruling = answered.told(words), answered.ruling
    steps = asking.steps
    wrong = _the_fault(answered, rules)
    reasons = list(_whys(told["reasons"], ruling.reasons, rules, words))
    codes = [reason.code for reason in ruling.reasons]
    sections = () if wrong is None else (_REMEDY, *_COST)

    def of(codes: str | tuple[str, ...]) -> Iterator[Why]:
        return (said for said, reason in zip(reasons, ruling.reasons, strict=True) if reason.code in codes)

    return AnswerPage(
        title=words.text(f"referee.ask.{kind}") if wrong is None else fault_name(wrong, words),
        errors=form_errors(keeping.form) if keeping else (),
        playing=playing,
        start=start,
        change=asking.url(steps[-1].name) if steps else "",
        verdict=ruling.verdict.value,
        look="depends" if not DEPENDS.isdisjoint(codes) else ruling.verdict.value,
        word=answer_word(kind, ruling.verdict.value, told["details"], codes, words),
        why=(
            *_understood(asking),
            *(said for said, reason in zip(reasons, ruling.reasons, strict=True) if reason.code not in sections),
        ),
        way=tuple(_way(ruling.way, words)),
        facts=tuple(facts_of(asking)),
        wrong="" if wrong is None else fault_name(wrong, words),
        remedy=tuple(of(_REMEDY)) or (Why("" if wrong is None else remedy_words(wrong, words), "", ""),),
        penalty=tuple(of(_COST)),
        note=_house_url(asking, wrong),
        faults=_faults(asking, ruling, fault_urls),
        silence=words.text("referee.faults.silent") if _is_silent(asking, ruling, fault_urls) else "",
        unasked=red_three_in_the_pile(rules, words) if asking.question is PILE else None,
        others=tuple(
            Here(rules, kind, ruling.verdict.value, ruling.details).others(
                map(other_answer, answered.answer.others), words
            )
        ),
        depends=tuple(depends_told(asking)),
        keeping=keeping,
    )


def _whys(told: Iterable[Mapping[str, str]], reasons: Iterable[Reason], rules: Ruleset, words: Words) -> Iterator[Why]:
    """The reasons in order. Where several stand at one place of the rulebook, the first of them leads there."""
    led = set()
    for text, reason in zip(told, reasons, strict=True):
        said = why(text["message"], reason, rules, words)
        yield replace(said, place=None) if said.place in led else said
        led.add(said.place)


def why(text: str, reason: Reason, rules: Ruleset, words: Words) -> Why:
    """A reason: the sentence, where the rule stands, and how firmly it does where no source says it outright."""
    source = places(reason.sources, words)
    return Why(text, source, _standing(reason, rules, words), place_of(reason, rules, words))


def _standing(reason: Reason, rules: Ruleset, words: Words) -> str:
    """How firmly the least firm of what it rests on stands, with the argument of an inference."""
    cited = [rules.cited_at(ground) for ground in reason.grounds]
    weak = next((each for each in cited if each.standing is not Standing.STATED), None)
    return "" if weak is None else standing_words(weak, words)


def standing_words(cited: Cited, words: Words) -> str:
    """A standing in words."""
    if cited.read:
        return words.text("web.new.read", why=words.text(f"read.{cited.read}"))
    return words.text(f"standing.{cited.standing}")


def _the_fault(answered: Answered, rules: Ruleset) -> Irregularity | None:
    """What was done wrong, of a question that asks about it; None of any other."""
    code = getattr(answered.question.asked, "code", None)
    return next((each for each in irregularities(rules) if each.code == code), None)


def _understood(asking: Asking) -> Iterator[Why]:
    """What an empty field of cards for the pile was taken to mean."""
    if any(slot.name == "laid" for slot in asking.slots) and not asking.situation.said("laid"):
        yield Why(asking.situation.words.text("referee.laid.nothing"), "", "")


def fault_name(fault: Irregularity, words: Words) -> str:
    """What it is called at the referee's, where that is not only a penalty."""
    own = f"referee.fault.{fault.code}"
    return words.text(own if words.has(own) else f"penalty.{fault.code}")


def remedy_words(fault: Irregularity, words: Words) -> str:
    """What else follows; that the sources say nothing of it, where they do not."""
    if fault.remedy:
        return words.text(f"remedy.{fault.remedy}")
    own = f"referee.remedy.{fault.code}"
    return words.text(own if words.has(own) else "referee.remedy.none")


def penalty_words(fault: Irregularity, words: Words) -> str:
    """What it costs."""
    if fault.costs is Costs.POINTS:
        return words.text("referee.penalty.points", points=words.signed(-fault.points))
    return words.text(f"referee.penalty.{fault.costs}")


def faults_told(found: Iterable[Irregularity], urls: UrlOf, words: Words) -> Iterator[Fault]:
    """What goes wrong at a table, each with its remedy, penalty and source."""
    for fault in found:
        source = places(fault.places, words)
        yield Fault(fault_name(fault, words), remedy_words(fault, words), penalty_words(fault, words),
                    source, urls[fault.code])  # fmt: skip


def _faults(asking: Asking, ruling: Ruling, urls: UrlOf) -> tuple[Fault, ...]:
    """What may have gone wrong already with this answer, and for these reasons."""
    why, known = {reason.code for reason in ruling.reasons}, irregularities(asking.situation.rules)
    slips = [slip for slip in asking.question.slips if slip.after is ruling.verdict and slip.when(asking.situation)]
    goes = [slip.code for slip in slips if not slip.of or why.intersection(slip.of)]
    found = [each for code in goes for each in known if each.code == code]
    return tuple(faults_told(found, urls, asking.situation.words))


def _is_silent(asking: Asking, ruling: Ruling, urls: UrlOf) -> bool:
    """Whether nobody says what to do where it was done all the same."""
    is_no = ruling.verdict is Verdict.FORBIDDEN
    return asking.question.tells_silence and is_no and not _faults(asking, ruling, urls)


def _house_url(asking: Asking, wrong: Irregularity | None) -> str:
    """Where a penalty of the table's own is noted; empty of others, beside a match, and for who may only look."""
    state = asking.situation.match
    if wrong is None or wrong.code != HOUSE or state is None:
        return ""
    if not state.access.can_write or state.standing.finished:
        return ""
    return url_for("course.penalty", match=state.id, caso=HOUSE)


def _way(way: Play | None, words: Words) -> Iterator[str]:
    if way is None:
        return
    for laid in way.laid:
        cards = cards_in_words(laid.cards.counts, words)
        key = "referee.way.new" if laid.on is None else "referee.way.on"
        yield words.text(key, cards=cards, **({} if laid.on is None else {"number": laid.on + 1}))
    if way.discard is not None:
        cards = cards_in_words(way.discard.counts, words)
        yield words.text("referee.way.discard", card=cards) if cards else words.text("referee.way.no-discard")
