"""Rules cards on A4: a game with a table's choices on one page, with answers to frequent questions.

A card is not laid out by trial: its text size follows from the length of its texts.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import NamedTuple

from scorepad.i18n import Words
from scorepad.i18n.rule_sentences import write_rule
from scorepad.referee.penalties import PENALTIES_WITH_PARTNER
from scorepad.rules.definitions import Choices, Citation, Cited, PenaltyKind, Statement
from scorepad.rules.hand import NOT_EXPOSED
from scorepad.rules.variants import get_variant, sources, statements_of
from scorepad.schemas.variant_json import CLASSIC, describe_cost_of_penalty, has_effect
from scorepad.sheets.game_facts import BONUSES, NEEDED_TO_GO_OUT, GameFacts, NamedValue
from scorepad.sheets.pdf import make_pdf, make_pdf_that_fits, render

QUESTIONS = {
    "pile": ("pile", "pile-layoff", "pile-taken-most", "pile-drawn", "pile-tops"),
    "foot": ("hands-each", "foot-taken-up", "red-threes-of-the-foot"),
    "frozen": ("freezing", "pile-naturals-frozen"),
    "opening": (
        "opening-counts", "opening-naturals-up-to", "opening-wild-melds", "opening-natural-group", "opening-pile",
        "talon", "talon-from", "talon-with-pile",
    ),
    "wilds": (
        "meld-shortest", "canasta-length", "meld-naturals", "wild-limit", "wild-ratio", "natural-only",
        "natural-after-opening", "wilds-from-naturals", "wild-melds", "wilds-blocked",
    ),
    "same-rank": ("repeated-rank",),
    "red-threes": (
        "red-threes-kept", "red-three-replaced", "red-threes-condition", "red-threes-by-canastas", "held-red-three",
    ),
    "black-threes": (
        "black-three-discarded", "stop-ranks", "black-threes", "black-threes-fewest", "black-threes-wilds",
    ),
    "out": (
        *NEEDED_TO_GO_OUT, "out-partner-foot", "two-cards-kept", "incomplete", "last-discard", "last-discard-special",
    ),
    "permission": ("permission",),
    "stock": ("end-of-stock",),
    "concealed": ("concealed-out",),
    "left": ("cards-left",),
    "sequences": ("sequences",),
    "wild-on-canasta": ("wild-on-canasta",),
    "discard": (
        "discard-fitting", "wild-discard", "empty-pile-bars", "dead-ranks", "threes-together",
    ),
}  # fmt: skip
"""Frequent questions, most frequent first, with the settings and statements that answer them. A
card has the first ten answered.
"""
QUESTIONS_ON_CARD = 10
_BASICS = ("sides", "decks", "dealt", "drawn", "target", "match-deals")
_UNANSWERED = ("not-told", "any")
"""The values of settings that answer no question."""
_SETTINGS_IN_TABLES = ("canastas", "opening-by", *_BASICS, *BONUSES)
"""The settings that the card shows in its tables, not in sentences."""
_LEFT_TO_RULEBOOK = (
    "cards-to-keep",
    "pile-onto-own-meld",
    "pile-discard-left",
    "pile-looked-back",
    "three-for-a-straight",
    "special-hand-shown",
    "special-fourteenth-card",
    "special-pairs",
    "special-league",
)
"""Statements for which a card has no room: they say more of what stands on it."""
_IN_TITLE = "«"
"""The character in a title that includes the name of its page."""
_RULES_ON_CARD = (
    "canastas",
    "card-points",
    *_BASICS,
    *BONUSES,
    *(rule for rules in QUESTIONS.values() for rule in rules),
)
"""The keys of all settings and statements that a card may print. Some are there twice."""
_TEXT_SIZES = {"11": 1900, "10": 2600, "9": 6000}
"""The text sizes in points, each with the most characters of half a card (`RulesCard.length`) for
which it is tried.
"""
_SMALLEST_TEXT_SIZE = "9"


def make_rules_card(
    name: str,
    words: Words,
    preset: str | None = None,
    options: Choices | None = None,
    *,
    large: bool = False,
) -> bytes:
    """Make the rules card of a game, a PDF of one page, or of several pages in large print (18 pt).

    `preset` and `options` are the choices that the players of a table made among the rules.
    Raises ChoiceError if the game has no such choice, and NoPdf if no PDF can be made.
    """
    card = RulesCard(name, words, preset, options)
    if large:
        return make_pdf(_render_card(card, "large"))
    # A generator: each size is laid out only if the card did not fit on a page in the one before.
    pages = (_render_card(card, size) for size in _sizes_to_try(card.length))
    return make_pdf_that_fits(pages)


def render_rules_card(
    name: str,
    words: Words,
    preset: str | None = None,
    options: Choices | None = None,
    *,
    large: bool = False,
) -> str:
    """Render the rules card of a game as HTML for a browser, with the arguments of
    `make_rules_card`.

    Only the browser knows how much fits on a page: the card has the smallest text size, and names
    the larger ones that a script tries. Raises ChoiceError.
    """
    card = RulesCard(name, words, preset, options)
    if large:
        return _render_card(card, "large")
    *larger_sizes, smallest_size = _sizes_to_try(card.length)
    return _render_card(card, smallest_size, larger_sizes)


def _render_card(card: RulesCard, size: str, larger_sizes: Sequence[str] = ()) -> str:
    """Render a rules card as HTML. `size` is a text size in points, such as `"10"`, or `"large"`.

    `larger_sizes` are those that a script in the browser tries, the largest first.
    """
    return render("card.html", card.words, page=card, size=size, larger_sizes=larger_sizes)


def _sizes_to_try(length: int) -> list[str]:
    """List the text sizes in which a card may fit on a page, the largest first.

    `length` is a number of characters: 1,900 → `["11", "10", "9"]`, 2,000 → `["10", "9"]`. A longer
    text than all of them allow is tried in the smallest size.
    """
    sizes = []
    for size, most_characters in _TEXT_SIZES.items():
        if length <= most_characters:
            sizes.append(size)
    if not sizes:
        return [_SMALLEST_TEXT_SIZE]
    return sizes


class _Sources(NamedTuple):
    """The titles of the sources of a game's own rules, and of those it has from the classic game."""

    of_this_game: list[str]
    of_classic_game: list[str]


class RulesCard(GameFacts):
    """The values shown by the template of a rules card.

    Attributes: `special`, what is special in the game, in a sentence; `basics`, the number of
    players, cards and the like; `bonuses`; `penalties`.
    """

    def __init__(
        self, name: str, words: Words, preset: str | None, options: Choices | None
    ) -> None:
        """Take the values from the game with the id `name`.

        `preset` and `options` are the choices that the players of a table made among its rules.
        """
        super().__init__(name, words, preset, options)  # sets `variant` and `words`
        self.special = self.words.t(f"variant.{self.variant.id}.special")
        self.basics = [self.describe_named_setting(key) for key in _BASICS if self.is_shown(key)]
        # How a side ends a round is on the card already, as the answer to a question.
        answered_elsewhere = QUESTIONS["out"]
        self.bonuses = tuple(self.list_canastas_and_bonuses(omitted=answered_elsewhere))
        self.penalties = [self._describe_penalty(penalty) for penalty in self._penalties]

    @cached_property
    def questions(self) -> tuple[NamedValue, ...]:
        """The frequent questions on the card, such as "When is the pile frozen?", with answers."""
        questions = []
        for name, answering_rules in self._answered_questions.items():
            questions.append(self._answer_question(name, answering_rules))
        return tuple(questions)

    @property
    def own_sources(self) -> list[str]:
        """The titles of the sources of the printed rules."""
        return self._sources.of_this_game

    @property
    def classic_sources(self) -> list[str]:
        """The titles of the sources of the rules that the game has from the classic game."""
        return self._sources.of_classic_game

    @property
    def length(self) -> int:
        """The number of characters in the longer half of the card, which decides the text size.

        On the left are bonuses and penalties, on the right questions and further rules. The left
        half is narrow, with figures in a column of their own: its texts count twice.
        """
        left = _count_characters(self.bonuses) + _count_characters(self.penalties)
        right = _count_characters(self.questions) + sum(len(rule) for rule in self.further_rules)
        return max(2 * left, right)

    # ---------------------------------------------------------------- penalties

    @cached_property
    def _penalties(self) -> list[PenaltyKind]:
        """The penalties (points lost for an offence) that the card prints as such."""
        penalties = []
        for penalty in self.variant.penalties.values():
            if self._can_be_given(penalty) and not self._is_printed_among_losses(penalty):
                penalties.append(penalty)
        return penalties

    def _can_be_given(self, penalty: PenaltyKind) -> bool:
        """Tell whether a penalty can occur in this game at all.

        Some are for offences against one's partner, and not every game has partners.
        """
        if penalty.code not in PENALTIES_WITH_PARTNER:
            return True
        # The rule of asking one's partner for permission has an effect only if there are partners.
        has_partners = has_effect("permission", self.variant)
        return has_partners

    def _is_printed_among_losses(self, penalty: PenaltyKind) -> bool:
        """Tell whether the table of bonuses and losses on the card shows a penalty already.

        A player must lay red threes (bonus cards) on the table. The table says how many points one
        costs that is left in hand at the end. The penalty for not laying it may cost just as much,
        and is then not printed a second time.
        """
        if penalty.code != NOT_EXPOSED:
            return False
        return bool(penalty.points == self.setting("held-red-three"))

    def _describe_penalty(self, penalty: PenaltyKind) -> NamedValue:
        """Put a penalty and its points into words: "Drew out of turn", "−100".

        Not laying a red three (a bonus card) on the table is an offence, and may also cost points
        when the hand is counted. Then a note is added that says that both are not added up.
        """
        name = self.words.t(f"penalty.{penalty.code}")
        points = describe_cost_of_penalty(penalty, self.words)
        is_for_red_three = penalty.code == NOT_EXPOSED
        costs_points_in_count_too = self.is_shown("held-red-three")
        if is_for_red_three and costs_points_in_count_too:
            points_with_note = self.words.t("paper.card.same-offence", points=points)
            return NamedValue(name, points_with_note)
        return NamedValue(name, points)

    # ---------------------------------------------------------------- questions and further rules

    @cached_property
    def _statements(self) -> dict[str, Statement]:
        """Return the statements about this game by id.

        A statement is a sentence of the rulebook that is not the value of a setting. If it says
        how another rule book differs, it is left out.
        """
        statements = {}
        for statement in statements_of(self.variant):
            if not statement.differs:
                statements[statement.id] = statement
        return statements

    @cached_property
    def _statements_of_this_game(self) -> list[Statement]:
        """The statements about this game that are not about the classic game too.

        A statement is a sentence of the rulebook that is not the value of a setting.
        """
        classic_game = get_variant(CLASSIC)
        classic_ids = {statement.id for statement in statements_of(classic_game)}
        return [each for each in self._statements.values() if each.id not in classic_ids]

    @cached_property
    def _answered_questions(self) -> dict[str, list[str]]:
        """Choose the questions for the card, each with the rules of this game that answer it.

        The result is like `{"pile": ["pile", "pile-tops"], "frozen": ["freezing"]}`. Questions
        without an answer in this game are left out. The card has room for ten.
        """
        answered: dict[str, list[str]] = {}
        for question, rules in QUESTIONS.items():  # the most frequent question comes first
            answering_rules = [rule for rule in rules if self._has_answer_in(rule)]
            if answering_rules:
                answered[question] = answering_rules
            if len(answered) == QUESTIONS_ON_CARD:
                break
        return answered

    def _has_answer_in(self, rule: str) -> bool:
        """Tell whether a rule of this game can answer a question.

        `rule` is the key of a setting or of a statement (a sentence of the rulebook). False if
        this game has no such rule, or if the value of the setting leaves the question open.
        """
        if rule not in self.variant.settings:
            return self._has_statement(rule)
        return self.is_shown(rule) and self.setting(rule) not in _UNANSWERED

    def _has_statement(self, name: str) -> bool:
        """Tell whether this game has a statement of this name, and the card may print it.

        A statement is a sentence of the rulebook. It may belong to a setting, after which it
        stands. If that setting has no effect in this game, the statement is not printed.
        """
        if name not in self._statements:
            return False
        setting_before = self._statements[name].after
        if setting_before is None:
            return True
        return self.is_shown(setting_before)

    def _answer_question(self, name: str, answering_rules: Iterable[str]) -> NamedValue:
        """Put a question and its answer into words.

        `name` is the end of the question's message key: `frozen` → "When is the pile frozen?". The
        answer has a sentence for each of the rules.
        """
        question = self.words.t(f"paper.card.ask.{name}")
        sentences = [self._write_sentence_of_rule(rule) for rule in answering_rules]
        return NamedValue(question, " ".join(sentences))

    def _write_sentence_of_rule(self, rule: str) -> str:
        """Write the sentence for a rule, which is the key of a setting or of a statement.

        A statement is a sentence of the rulebook that is not the value of a setting.
        """
        if rule in self.variant.settings:
            return write_rule(rule, self.variant, self.words)
        return self.words.t(f"rulebook.statement.{rule}")

    @cached_property
    def further_rules(self) -> list[str]:
        """List the sentences for "Further rules": statements that are only about this game.

        A statement may be clear only after the sentence of the setting that it belongs to. If the
        card does not explain that setting elsewhere, both are printed: "Sequences may be melded
        too. A complete samba is turned face down."
        """
        explained_settings = self._settings_explained_on_card()
        rules = []
        for statement in self._statements_of_this_game:
            if statement.id in explained_settings:
                continue  # an answer on the card says it
            if statement.id in _LEFT_TO_RULEBOOK:
                continue
            text = self._write_sentence_of_rule(statement.id)
            setting = statement.after  # the setting that the statement belongs to, if any
            if setting is not None and setting not in explained_settings:
                text_of_setting = self._write_sentence_of_rule(setting)
                text = f"{text_of_setting} {text}"
                explained_settings.add(setting)  # the next statement need not repeat it
            rules.append(text)
        return rules

    def _settings_explained_on_card(self) -> set[str]:
        """Return the keys of settings and statements that the card explains in tables and answers.

        They need no further sentence under "Further rules".
        """
        explained = set(_SETTINGS_IN_TABLES)
        # Question → keys of the rules in its answer: {"pile": ["pile-tops", "pile-drawn"]}
        for answering_rules in self._answered_questions.values():
            explained.update(answering_rules)
        return explained

    # ---------------------------------------------------------------- sources

    @cached_property
    def _sources(self) -> _Sources:
        """Find the titles of the rule books for the bottom of the card, in two lists.

        One is for the rules of this game, the other for rules taken over from the classic game.
        A book that is in the first list is not repeated in the second.
        """
        own_rules = []
        classic_rules = []
        for cited in self._list_citations():
            if self._is_from_classic_game(cited):
                classic_rules.append(cited)
            else:
                own_rules.append(cited)

        # All games with penalties use those of the classic game.
        penalties = [penalty.cited for penalty in self._penalties]
        if self._is_classic_game:
            own_rules += penalties
        else:
            classic_rules += penalties

        own_titles = _list_source_titles(own_rules)
        classic_titles = []
        for title in _list_source_titles(classic_rules):
            if title not in own_titles:
                classic_titles.append(title)
        return _Sources(own_titles, classic_titles)

    @property
    def _is_classic_game(self) -> bool:
        """Whether the game takes over no rules from the classic game, because it is that game."""
        return not self.variant.reasoning_for_rest

    def _is_from_classic_game(self, cited: Cited) -> bool:
        """Tell whether a rule was taken over from the classic game.

        `cited` says what supports the rule. Its `read` is the reason for a rule that no book about
        the game gives, such as `as-classic`: "so the classic rule applies". The file of each game
        says which reason it uses for such rules.
        """
        if self._is_classic_game:
            return False
        reason_for_rule = cited.read
        reason_to_take_over = self.variant.reasoning_for_rest  # `as-classic`
        return reason_for_rule == reason_to_take_over

    def _list_citations(self) -> list[Cited]:
        """List what supports each rule on this card, to print the rule books at its bottom.

        A rule is either a setting (a value, such as the number of decks) or a statement (a sentence
        of the rulebook). Penalties are not among them.
        """
        citations = []
        for rule in _RULES_ON_CARD:
            is_setting = rule in self.variant.settings
            if is_setting and self.is_shown(rule):  # one without effect is not on the card
                citations.append(self.variant.settings[rule].cited)
            elif not is_setting and self._has_statement(rule):
                citations.append(self._statements[rule].cited)
        for statement in self._statements_of_this_game:
            citations.append(statement.cited)
        return citations


def _count_characters(facts: Iterable[NamedValue]) -> int:
    """Count the characters of all names and values together."""
    return sum(len(fact.name) + len(fact.value) for fact in facts)


def _list_source_titles(cited_rules: Iterable[Cited]) -> list[str]:
    """List the titles of the rule books and websites that are cited, each with its cited pages.

    Two rules cite the pages «Canasta» and «Samba» of a website → `["pagat.com «Canasta», «Samba»"]`.
    Books and pages are in the order in which our list of all sources has them.
    """
    citations: set[Citation] = set()
    for cited in cited_rules:
        citations.update(cited.citations)

    titles = []
    for key, source in sources().items():
        cited_pages = [page for page in source.sections if Citation(key, page) in citations]
        if cited_pages:
            titles.append(_add_pages_to_title(source.title, cited_pages))
    return titles


def _add_pages_to_title(title: str, pages: Iterable[str]) -> str:
    """Add the names of the cited pages to the title of a source.

    - `pagat.com`, `["Samba"]` → `pagat.com «Samba»`
    - a title with a «page» in it is about that one page → unchanged
    """
    if _IN_TITLE in title:
        return title
    quoted_pages = ", ".join([f"«{page}»" for page in pages])
    return f"{title} {quoted_pages}"
