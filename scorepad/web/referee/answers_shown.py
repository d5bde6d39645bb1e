"""The answer to a question as a page: the word, why, the facts, remedy and penalty, and what differs elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from scorepad.i18n import Words
from scorepad.i18n.cards import cards_in_words
from scorepad.i18n.settings import value_word
from scorepad.i18n.verdicts import verdict_word
from scorepad.rules.citations import Cited, Standing
from scorepad.rules.rulings import Reason, Verdict
from scorepad.rules.rulings.answers import Way
from scorepad.rules.rulings.catalogue import Costs, Irregularity, catalogue
from scorepad.rules.rulings.elsewhere import Elsewhere
from scorepad.rules.variants import Ruleset
from scorepad.web.citing import places
from scorepad.web.forms import form_errors
from scorepad.web.referee.answering import Answered
from scorepad.web.referee.asking import Asking
from scorepad.web.referee.facts import facts_of
from scorepad.web.referee.pages import AnswerPage, Fault, Keeping, Other, Playing, Why

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
    reasons = [why(text["message"], reason, rules, words)
               for text, reason in zip(told["reasons"], ruling.reasons, strict=True)]  # fmt: skip
    sections = () if wrong is None else (_REMEDY, *_COST)

    def of(codes: str | tuple[str, ...]) -> Iterator[Why]:
        return (said for said, reason in zip(reasons, ruling.reasons, strict=True) if reason.code in codes)

    return AnswerPage(
        title=words.text(f"referee.ask.{kind}") if wrong is None else words.text(f"penalty.{wrong.code}"),
        errors=form_errors(keeping.form) if keeping else (),
        playing=playing,
        start=start,
        change=asking.url(steps[-1].name) if steps else "",
        verdict=ruling.verdict.value,
        word=verdict_word(kind, ruling.verdict.value, told["details"], words),
        why=tuple(said for said, reason in zip(reasons, ruling.reasons, strict=True) if reason.code not in sections),
        way=tuple(_way(ruling.way, words)),
        facts=tuple(facts_of(asking)),
        wrong="" if wrong is None else words.text(f"penalty.{wrong.code}"),
        remedy=tuple(of(_REMEDY)) or (Why(words.text("referee.remedy.none"), "", ""),),
        penalty=tuple(of(_COST)),
        faults=_faults(asking, ruling.verdict, fault_urls),
        others=tuple(_other(other, rules, kind, words) for other in answered.others),
        keeping=keeping,
    )


def why(text: str, reason: Reason, rules: Ruleset, words: Words) -> Why:
    """A reason: the sentence, where the rule stands, and how firmly it does where no source says it outright."""
    source = places(reason.sources, words)
    return Why(text, source, _standing(reason, rules, words))


def _standing(reason: Reason, rules: Ruleset, words: Words) -> str:
    """How firmly the least firm of what it rests on stands, with the argument of an inference."""
    cited = [rules.cited[name] for name in reason.settings if name in rules.cited]
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
    return next((each for each in catalogue(rules) if each.code == code), None)


def remedy_words(fault: Irregularity, words: Words) -> str:
    """What else follows; that the sources say nothing of it, where they do not."""
    return words.text(f"remedy.{fault.remedy}") if fault.remedy else words.text("referee.remedy.none")


def penalty_words(fault: Irregularity, words: Words) -> str:
    """What it costs."""
    if fault.costs is Costs.POINTS:
        return words.text("referee.penalty.points", points=words.signed(-fault.points))
    return words.text(f"referee.penalty.{fault.costs}")


def faults_told(found: Iterable[Irregularity], urls: UrlOf, words: Words) -> Iterator[Fault]:
    """What goes wrong at a table, each with its remedy, penalty and source."""
    for fault in found:
        source = places(fault.places, words)
        yield Fault(words.text(f"penalty.{fault.code}"), remedy_words(fault, words), penalty_words(fault, words),
                    source, urls[fault.code])  # fmt: skip


def _faults(asking: Asking, verdict: Verdict, urls: UrlOf) -> tuple[Fault, ...]:
    """What may have gone wrong already where the answer is no."""
    if verdict is not Verdict.FORBIDDEN:
        return ()
    found = [each for each in catalogue(asking.situation.rules) if each.code in asking.question.faults]
    return tuple(faults_told(found, urls, asking.situation.words))


def _other(other: Elsewhere, rules: Ruleset, kind: str, words: Words) -> Other:
    """Another codification, or the option that makes the difference, with its answer."""
    changed = [
        words.text("web.new.chosen", option=words.text(f"option.{name}"), value=value_word(name, value, words))
        for name, value in other.changed.items()
    ]
    preset = [words.text(f"preset.{other.preset}")] if other.preset and other.preset != rules.preset else []
    verdict = other.ruling.verdict.value
    return Other(
        name="; ".join((*preset, *changed)),
        word=verdict_word(kind, verdict, other.ruling.details, words),
        more=_details(other.ruling.details, verdict, words),
        source=places(other.sources, words),
    )


def _details(details: Mapping[str, object], verdict: str, words: Words) -> str:
    """The figures of an answer that its one word does not say."""
    told = [
        words.text(f"referee.detail.{name}", points=value)
        for name, value in details.items()
        if verdict != "value" and isinstance(value, int) and words.has(f"referee.detail.{name}")
    ]
    return ", ".join(told)


def _way(way: Way | None, words: Words) -> Iterator[str]:
    if way is None:
        return
    for laid in way.laid:
        cards = cards_in_words(laid.cards.counts, words)
        key = "referee.way.new" if laid.on is None else "referee.way.on"
        yield words.text(key, cards=cards, **({} if laid.on is None else {"number": laid.on + 1}))
    if way.discard is not None:
        cards = cards_in_words(way.discard.counts, words)
        yield words.text("referee.way.discard", card=cards) if cards else words.text("referee.way.no-discard")
