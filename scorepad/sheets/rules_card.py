"""Rules cards on A4: a game with a table's choices on one page, with answers to frequent questions.

A card is not laid out by trial: its text size follows from the length of its texts.
"""

from __future__ import annotations

from collections.abc import Iterable

from scorepad.i18n import Words
from scorepad.i18n.rule_sentences import rule_text
from scorepad.referee.penalties import PENALTIES_WITH_PARTNER
from scorepad.rules.definitions import Choices, Citation, Cited, PenaltyKind
from scorepad.rules.hand import NOT_EXPOSED
from scorepad.rules.variants import get_variant, sources, statements_of
from scorepad.schemas.variant_json import CLASSIC, applies, penalty_words
from scorepad.sheets.game_facts import BONUSES, NEEDED_TO_GO_OUT, GameFacts, NamedValue
from scorepad.sheets.pdf import pdf_of, pdf_that_fits, render

QUESTIONS = {
    "pile": ("pile", "pile-layoff", "pile-drawn", "pile-tops"),
    "frozen": ("freezing", "pile-naturals-frozen"),
    "opening": (
        "opening-counts", "opening-naturals-up-to", "opening-wild-melds", "opening-natural-group", "opening-pile",
    ),
    "wilds": (
        "meld-shortest", "canasta-length", "meld-naturals", "wild-limit", "wild-ratio", "natural-only",
        "natural-after-opening", "wild-melds", "wilds-blocked",
    ),
    "same-rank": ("repeated-rank",),
    "red-threes": (
        "red-threes-kept", "red-three-replaced", "red-threes-condition", "red-threes-by-canastas", "held-red-three",
    ),
    "black-threes": (
        "black-three-discarded", "stop-ranks", "black-threes", "black-threes-fewest", "black-threes-wilds",
    ),
    "out": (*NEEDED_TO_GO_OUT, "incomplete", "last-discard", "last-discard-special"),
    "permission": ("permission",),
    "stock": ("end-of-stock",),
    "concealed": ("concealed-out",),
    "left": ("cards-left",),
    "sequences": ("sequences",),
    "wild-on-canasta": ("wild-on-canasta",),
    "discard": ("discard-fitting", "threes-together"),
}  # fmt: skip
"""Frequent questions, most frequent first, with the settings and statements that answer them. A
card has the first ten answered.
"""
ASKED = 10
"""Questions on a card."""
_BASICS = ("sides", "decks", "dealt", "drawn", "target", "match-deals")
_UNANSWERED = ("not-told", "not-refereed", "any")
"""The values of settings that answer no question."""
_IN_TITLE = "«"
"""The character in a title that includes the name of its page."""
_TEXT_SIZES = {"11": 1900, "10": 2600, "9": 6000}
"""The most characters of questions and further rules for each text size in points."""


def make_rules_card(
    name: str,
    words: Words,
    preset: str | None = None,
    options: Choices | None = None,
    *,
    large: bool = False,
) -> bytes:
    """The rules card of a variant with a table's choices, as PDF: one page, in 18 pt several.

    Raises ChoiceError and NoPdf.
    """
    card = RulesCard(name, words, preset, options)
    if large:
        return pdf_of(render("card.html", card.words, page=card, size="large"))
    sizes = [size for size, most in _TEXT_SIZES.items() if card.length <= most]
    if not sizes:
        sizes = ["9"]
    return pdf_that_fits(render("card.html", card.words, page=card, size=size) for size in sizes)


class RulesCard(GameFacts):
    """The values shown by the template of a rules card.

    Attributes: `questions`, frequent questions with answers; `further_rules`, other rules of this
    game alone; `sources`, those of the printed rules; `classic`, those of the rules inherited from the
    classic game.
    """

    def __init__(
        self, name: str, words: Words, preset: str | None, options: Choices | None
    ) -> None:
        super().__init__(name, words, preset, options)
        self.special = self.words.t(f"variant.{self.variant.id}.special")
        self.basics = [self.fact(key) for key in _BASICS if self.is_shown(key)]
        self.bonuses = tuple(self.bonuses_without(QUESTIONS["out"]))
        self._printed_penalties = self._penalties()
        self.penalties = [self._penalty_fact(penalty) for penalty in self._printed_penalties]
        statements = [each for each in statements_of(self.variant) if not each.differs]
        self._statements = {statement.id: statement for statement in statements}
        answered = self._answered_questions()
        self.questions = tuple(self._question(name, keys) for name, keys in answered.items())
        classic = {statement.id for statement in statements_of(get_variant(CLASSIC))}
        self._special_statements = [each for each in statements if each.id not in classic]
        self.further_rules = self._further_rules(answered)
        self.sources, self.classic = self._sources()

    @property
    def length(self) -> int:
        """The characters of its longer half: of questions and further rules, or twice those of the
        narrower columns of bonuses and penalties.
        """
        questions = _length(self.questions) + sum(map(len, self.further_rules))
        columns = _length(self.bonuses) + _length(self.penalties)
        return max(questions, 2 * columns)

    # ---------------------------------------------------------------- penalties

    def _penalties(self) -> list[PenaltyKind]:
        held_red_three = self.setting("held-red-three")
        has_partners = applies("permission", self.variant)
        printed = []
        for penalty in self.variant.penalties.values():
            # An unexposed red three is omitted if it costs the same as one left in hand.
            is_shown_already = penalty.code == NOT_EXPOSED and penalty.points == held_red_three
            is_of_nobody = penalty.code in PENALTIES_WITH_PARTNER and not has_partners
            if not (is_shown_already or is_of_nobody):
                printed.append(penalty)
        return printed

    def _penalty_fact(self, penalty: PenaltyKind) -> NamedValue:
        points = penalty_words(penalty, self.words)
        if penalty.code == NOT_EXPOSED and self.is_shown("held-red-three"):
            points = self.words.t("paper.card.same-offence", points=points)
        return NamedValue(self.words.t(f"penalty.{penalty.code}"), points)

    # ---------------------------------------------------------------- questions and further rules

    def _answered_questions(self) -> dict[str, list[str]]:
        """The first questions that the rules of this variant answer, each with the settings
        and statements that do.
        """
        answered: dict[str, list[str]] = {}
        for name, keys in QUESTIONS.items():
            answering = [key for key in keys if self._answers(key)]
            if answering and len(answered) < ASKED:
                answered[name] = answering
        return answered

    def _answers(self, key: str) -> bool:
        if key in self.variant.settings:
            return self.is_shown(key) and self.setting(key) not in _UNANSWERED
        return self._has_statement(key)

    def _has_statement(self, name: str) -> bool:
        """Whether a statement is printed: it is one of this game, and so is the rule it follows."""
        if name not in self._statements:
            return False
        rule = self._statements[name].after
        return rule is None or self.is_shown(rule)

    def _question(self, name: str, keys: Iterable[str]) -> NamedValue:
        sentences = " ".join(self._sentence(key) for key in keys)
        return NamedValue(self.words.t(f"paper.card.ask.{name}"), sentences)

    def _sentence(self, key: str) -> str:
        """A setting or a statement as a sentence."""
        if key in self.variant.settings:
            return rule_text(key, self.variant, self.words)
        return self.words.t(f"rulebook.statement.{key}")

    def _further_rules(self, answered: dict[str, list[str]]) -> list[str]:
        """What is said of this game alone; the rule that a statement qualifies precedes it unless
        it is on the card.
        """
        printed = {"canastas", "opening-by", *_BASICS, *BONUSES}
        for keys in answered.values():
            printed.update(keys)
        rules = []
        for statement in self._special_statements:
            sentences = self._sentence(statement.id)
            rule = statement.after
            if rule is not None and rule not in printed:
                sentences = f"{self._sentence(rule)} {sentences}"
                printed.add(rule)
            rules.append(sentences)
        return rules

    # ---------------------------------------------------------------- sources

    def _sources(self) -> tuple[list[str], list[str]]:
        """The sources of this game's printed rules, and those of rules inherited from the classic
        game.
        """
        inherits = self.variant.inherits
        of_this_game = []
        inherited = []
        for cited in self._cited():
            if cited.read and cited.read == inherits:
                inherited.append(cited)
            else:
                of_this_game.append(cited)
        # All games with penalties use those of the classic game.
        of_penalties = [penalty.cited for penalty in self._printed_penalties]
        if inherits:
            inherited += of_penalties
        else:
            of_this_game += of_penalties
        titles = _titles(of_this_game)
        inherited_titles = [title for title in _titles(inherited) if title not in titles]
        return titles, inherited_titles

    def _cited(self) -> list[Cited]:
        """What is cited for the printed settings and statements."""
        keys = ["canastas", "card-points", *_BASICS, *BONUSES]
        for of_question in QUESTIONS.values():
            keys += of_question
        cited = []
        for key in keys:
            if key not in self.variant.settings:
                if self._has_statement(key):
                    cited.append(self._statements[key].cited)
            elif self.is_shown(key):
                cited.append(self.variant.settings[key].cited)
        return cited + [statement.cited for statement in self._special_statements]


def _length(facts: Iterable[NamedValue]) -> int:
    return sum(len(fact.name) + len(fact.value) for fact in facts)


def _titles(cited: Iterable[Cited]) -> list[str]:
    """The cited texts, in the order of the catalogue; for a site with several, its pages."""
    citations: set[Citation] = set()
    for each in cited:
        citations.update(each.citations)
    titles = []
    for name, source in sources().items():
        pages = [page for page in source.sections if Citation(name, page) in citations]
        if pages and _IN_TITLE not in source.title:
            quoted = [f"«{page}»" for page in pages]
            titles.append(f"{source.title} {', '.join(quoted)}")
        elif pages:
            titles.append(source.title)
    return titles
