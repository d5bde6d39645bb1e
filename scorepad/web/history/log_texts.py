"""What the log of a match says of each entry, in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import singledispatchmethod
from typing import NamedTuple

from scorepad.i18n import Words
from scorepad.i18n.findings import describe_finding_without_remedy
from scorepad.i18n.settings_in_words import describe_option_value
from scorepad.matches.events import (
    MATCH_TEXTS,
    AccessChange,
    Checking,
    ChosenCount,
    Confirm,
    Correction,
    Counted,
    EndHow,
    Ending,
    Event,
    Labels,
    NewHand,
    NotedPenalty,
    Redo,
    Remark,
    Rename,
    Replacement,
    RulesChange,
    RulingKept,
    Start,
    Undo,
)
from scorepad.matches.history import Actor, AuditEntry
from scorepad.matches.projection import MatchState
from scorepad.matches.rulings import ruling_text
from scorepad.rules.definitions import Ruleset
from scorepad.web.citations import citations_in_words
from scorepad.web.history.count_texts import CountTexts
from scorepad.web.presenters import moment, names_of_players, versus


class EntryText(NamedTuple):
    """What was done, and what there is to say beside it, a line each."""

    done: str
    more: Sequence[str] = ()


class ShownEntry(NamedTuple):
    """An entry of the log as the page shows it."""

    sequence: int
    clock: str
    actor: str
    """Who did it: "Anna, phone 2, for We"."""
    done: str
    undone: str
    """When it was undone, in words; empty if it was not."""
    more: Sequence[str]


class LogTexts:
    """Describes the entries in the log of a match."""

    def __init__(
        self,
        match: MatchState,
        words: Words,
        entries: Iterable[AuditEntry],
        holders: Mapping[int, str],
    ) -> None:
        """Prepare the texts for a page with these entries of the log.

        `words` has the messages of the rules of the match too. `holders` has the names of those who
        hold the devices of the match, as far as they are known, by the number of the device.
        """
        self._match = match
        self._words = words
        self._t = words.t
        self._counts = CountTexts(words, match.rules.variant)
        self._times = {entry.sequence: entry.at for entry in entries}
        self._holders = holders

    def show_entry(self, entry: AuditEntry) -> ShownEntry:
        """Put everything that the page shows of an entry into words."""
        text = self.describe(entry.event, entry)
        return ShownEntry(
            sequence=entry.sequence,
            clock=self._words.clock(entry.at.astimezone()),
            actor=self.name_actor(entry.by, entry.names),
            done=text.done,
            undone=self.say_when_undone(entry),
            more=text.more,
        )

    def name_actor(self, actor: Actor, names: Sequence[str]) -> str:
        """Say which device did something, who holds it, and for which side: "Anna, phone 2, for We".

        `names` are those of the sides. The side is left out if it is not known.
        """
        device = self._name_device(actor)
        if actor.side is None or actor.side >= len(names):
            return device
        return self._t("history.by.side", device=device, side=names[actor.side])

    def _name_device(self, actor: Actor) -> str:
        """Name a device: "Phone 2", "Anna (phone 2)", "This phone", or the computer of the pad."""
        if actor.is_command_line:
            return self._t("history.by.keeper")
        if actor.number is None:  # a browser with access to all matches that never entered this one
            return self._t("history.by.machine-mine" if actor.is_mine else "history.by.machine")

        key = "history.by.mine" if actor.is_mine else "history.by.phone"
        phone = self._t(key, number=actor.number)
        if not actor.name:
            return phone
        return self._t("phones.held-by", name=actor.name, phone=phone)

    def say_when_undone(self, entry: AuditEntry) -> str:
        """Say when an entry was undone: only the time if it was on the same day. Empty if never."""
        if entry.undone is None:
            return ""
        made_at = entry.at.astimezone()
        undone_at = self._times[entry.undone].astimezone()
        if made_at.date() == undone_at.date():
            return self._t("history.undone", clock=self._words.clock(undone_at))
        return self._t("history.undone.later", when=moment(undone_at, self._words))

    @singledispatchmethod
    def describe(self, event: Event, _entry: AuditEntry) -> EntryText:
        """Say what the event of an entry in the log did.

        There is a method for each class of events that has more to say than its kind. This one is
        for the others, such as a rematch.
        """
        return EntryText(self._t(f"history.{event.kind}"))

    # ---------------------------------------------------------------- the match

    @describe.register
    def _describe_start(self, event: Start, entry: AuditEntry) -> EntryText:
        """Say which game was started by whom, and list the names, the preset and earlier totals."""
        rules = entry.rules
        game = self._t(f"variant.{rules.variant}.name")
        done = self._t("history.start", game=game, sides=versus(event.names, self._words))
        more = []
        if event.practice:
            more.append(self._t("history.start.practice"))
        if event.rematch:
            more.append(self._t("history.start.rematch"))
        more += self._list_players(event.labels)
        more += self._list_given_texts(event.labels)
        if rules.preset:
            preset = self._t(f"preset.{rules.preset}")
            more.append(self._t("web.new.chosen", option=self._t("web.new.preset"), value=preset))
        if event.carried:
            more.append(self._say_totals_carried_over(event))
        return EntryText(done, more)

    def _list_players(self, labels: Labels) -> Iterator[str]:
        """List the players of each side that has names of players."""
        for side, players in zip(labels.names, labels.players, strict=False):
            names = names_of_players(players)
            if names:
                listed = self._words.listing(names)
                yield self._t("history.start.players", side=side, players=listed)

    def _list_given_texts(self, labels: Labels) -> Iterator[str]:
        """List the free texts that were given for the match, such as its place."""
        for text in MATCH_TEXTS:
            if labels.texts[text.name]:
                yield self._t(text.given, text=labels.texts[text.name])

    def _say_totals_carried_over(self, event: Start) -> str:
        """Say with which totals, from how many hands on paper, the match was started."""
        totals = self._counts.describe_totals(event.names, event.carried)
        if event.played == 0:  # nobody said how many hands it were
            return self._t("history.start.carried-over", totals=totals)
        return self._words.plural("history.start.carried", event.played, totals=totals)

    @describe.register
    def _describe_change_of_rules(self, _event: RulesChange, entry: AuditEntry) -> EntryText:
        """List the preset and the options that were changed, each with its value before."""
        before: Ruleset = entry.before
        after = entry.rules
        more = []
        if before.preset != after.preset:
            more.append(
                self._t(
                    "history.rules.changed",
                    what=self._t("web.new.preset"),
                    before=self._name_preset(before),
                    after=self._name_preset(after),
                )
            )
        for name, value in after.options.items():
            value_before = before.options.get(name)
            if value_before is None or value_before == value:
                continue
            more.append(
                self._t(
                    "history.rules.changed",
                    what=self._t(f"option.{name}"),
                    before=describe_option_value(name, value_before, self._words),
                    after=describe_option_value(name, value, self._words),
                )
            )
        return EntryText(self._t("history.rules"), more)

    def _name_preset(self, rules: Ruleset) -> str:
        if not rules.preset:
            return self._t("web.new.preset.none")
        return self._t(f"preset.{rules.preset}")

    @describe.register
    def _describe_rename(self, event: Rename, entry: AuditEntry) -> EntryText:
        """List the sides, players and free texts whose name was changed."""
        before: Labels = entry.before
        after = event.labels
        more = []
        for old_name, new_name in zip(before.names, after.names, strict=False):
            if old_name != new_name:
                more.append(self._say_change_of_name(old_name, new_name))
        for side, name in enumerate(after.names):
            more += self._list_renamed_players(name, before.players[side], after.players[side])
        more += self._list_changed_texts(before, after)
        return EntryText(self._t("history.rename"), more)

    def _say_change_of_name(self, old_name: str, new_name: str) -> str:
        return self._t("history.rename.changed", before=old_name, after=new_name)

    def _list_renamed_players(
        self, side: str, before: Sequence[str], after: Sequence[str]
    ) -> Iterator[str]:
        """List the players of a side whose names were changed, given or removed.

        A player who plays alone has the name of the side, which is listed already.
        """
        if len(after) == 1:
            return
        for old_name, new_name in zip(before, after, strict=False):
            if old_name == new_name:
                continue
            if not new_name:
                yield self._t("history.rename.gone", side=side, player=old_name)
            elif not old_name:
                yield self._t("history.rename.named", side=side, player=new_name)
            else:
                yield self._say_change_of_name(old_name, new_name)

    def _list_changed_texts(self, before: Labels, after: Labels) -> Iterator[str]:
        """List the free texts of the match, such as its place, that were changed or removed."""
        for text in MATCH_TEXTS:
            old_text = before.texts[text.name]
            new_text = after.texts[text.name]
            if old_text == new_text:
                continue
            if new_text:
                yield self._t(text.given, text=new_text)
            else:
                yield self._t(text.removed, text=old_text)

    @describe.register
    def _describe_replacement(self, event: Replacement, entry: AuditEntry) -> EntryText:
        """Say which player took the place of another one: "From hand 3 Ugo plays for Ada (We)."."""
        position, _ = event.seat
        side = entry.names[position]
        if event.was == side:  # who plays alone has the name of the side
            key = "history.replace.alone"
        elif event.was:
            key = "history.replace"
        else:
            key = "history.replace.empty"
        number = self._match.number_for_players(event.number)
        return EntryText(
            self._t(key, number=number, name=event.name, was=event.was, side=side),
        )

    @describe.register
    def _describe_ending(self, event: Ending, entry: AuditEntry) -> EntryText:
        """Say how the match was ended, or after which hand (round) it is to end."""
        if event.hands is not None:
            is_last_hand = event.how == EndHow.LAST_HAND
            key = "history.end.last" if is_last_hand else "history.end.after"
            return EntryText(self._t(key, number=self._match.number_for_players(event.hands)))
        side = ""
        if event.side is not None:
            side = entry.names[event.side]
        return EntryText(self._t(f"history.end.{event.how}", side=side))

    @describe.register
    def _describe_checking(self, event: Checking, _entry: AuditEntry) -> EntryText:
        """Say that the sides check each other's hands from now on, or no longer."""
        return EntryText(self._t("history.checking.on" if event.on else "history.checking.off"))

    @describe.register
    def _describe_change_of_access(self, event: AccessChange, _entry: AuditEntry) -> EntryText:
        """Say what the owner decided about a key or a phone: "Phone 3 (Anna) was removed."."""
        key = f"history.access.{event.what}"
        if event.access is not None:  # a key
            return EntryText(self._t(f"{key}.{event.access}"))
        if event.phone is None:
            return EntryText(self._t(key))
        holder = self._holders.get(event.phone)
        if holder is not None:
            return EntryText(self._t(f"{key}.named", name=holder))
        return EntryText(self._t(key, number=event.phone))

    @describe.register
    def _describe_undo(self, event: Undo, _entry: AuditEntry) -> EntryText:
        number = self._match.number_for_players(
            event.number or 0
        )  # the message may not be about a hand
        done = self._t(f"actions.is-undone.{event.undone_kind}", number=number)
        return EntryText(done, self._list_reason(event.reason))

    @describe.register
    def _describe_redo(self, event: Redo, _entry: AuditEntry) -> EntryText:
        number = self._match.number_for_players(
            event.number or 0
        )  # the message may not be about a hand
        return EntryText(self._t(f"actions.is-redone.{event.undone_kind}", number=number))

    def _list_reason(self, reason: str) -> list[str]:
        """List the line with the reason that a person gave; no line without one."""
        if not reason:
            return []
        return [self._t("history.reason", reason=reason)]

    # ---------------------------------------------------------------- a hand

    @describe.register
    def _describe_count(self, counted: Counted, entry: AuditEntry) -> EntryText:
        """Say how a hand (round) was counted, corrected or contested."""
        names = entry.names
        before: Counted | None = entry.before  # the count that was in force, if there was one
        is_correction = isinstance(counted, Correction)
        count_to_compare = before if is_correction else None
        done = self._t(
            f"history.{counted.kind}",
            number=self._match.number_for_players(counted.deal),
            points=self._counts.describe_points(names, count_to_compare, counted),
        )
        more = []
        if isinstance(counted, NewHand):
            totals = self._counts.describe_totals_after(names, counted)
            more.append(self._t("history.totals", totals=totals))
        more += self._list_changed_lines(names, before, counted)
        more += self._list_new_penalties_of_house(names, before, counted)
        if self._counts.is_sum_unchecked(counted):
            more.append(self._t("history.not-checked"))
        more += self._list_agreement(counted, names)
        is_new_remark = before is None or before.remark != counted.remark
        if counted.remark and is_new_remark:
            more.append(self._t("match.remark", text=counted.remark))
        more += self._list_reason(counted.reason)
        return EntryText(done, more)

    def _list_changed_lines(
        self, names: Sequence[str], before: Counted | None, after: Counted
    ) -> list[str]:
        """List the lines of the score that differ from those of the count before."""
        changes = self._counts.list_changed_lines(names, before, after)
        if before is not None and not changes:
            return [self._t("history.changed.nothing")]
        texts = []
        for change in changes:
            if change.before and change.after:
                key = "history.changed.changed"
            elif change.after:
                key = "history.changed.added"
            else:
                key = "history.changed.gone"
            texts.append(
                self._t(
                    key,
                    side=change.side,
                    item=change.item,
                    before=change.before,
                    after=change.after,
                )
            )
        return texts

    def _list_new_penalties_of_house(
        self, names: Sequence[str], before: Counted | None, counted: Counted
    ) -> Iterator[str]:
        """List the penalties that the players made up, with their reasons.

        Left out are those that the count before (`before`) had already.
        """
        for position, name in enumerate(names):
            known_penalties = before.hand.sides[position].penalties if before else ()
            for penalty in counted.hand.sides[position].penalties:
                if not penalty.reason or penalty.points is None or penalty in known_penalties:
                    continue
                yield self._t(
                    "history.why",
                    side=name,
                    what=self._t("penalty.house"),
                    points=self._words.signed(-penalty.points),
                    reason=penalty.reason,
                )

    def _list_agreement(self, counted: Counted, names: tuple[str, ...]) -> list[str]:
        """List why the players counted a hand (round) that breaks rules, and which it breaks."""
        if not counted.agreed:
            return []
        texts = [self._t("match.agreed", reason=counted.agreed)]
        for finding in counted.broken:
            texts.append(describe_finding_without_remedy(finding, names, self._words))
        return texts

    @describe.register
    def _describe_confirmation(self, event: Confirm, _entry: AuditEntry) -> EntryText:
        number = self._match.number_for_players(event.number)
        return EntryText(self._t("history.confirm", number=number))

    @describe.register
    def _describe_choice(self, _event: ChosenCount, entry: AuditEntry) -> EntryText:
        """Say which of two counts of a hand (round) the sides chose."""
        chosen = entry.chosen
        assert chosen is not None  # the entry names a count in the log
        if entry.before in (None, chosen):  # the count that was in force anyway
            key = "history.choice.same"
            points = self._counts.describe_points(entry.names, None, chosen)
        else:
            key = "history.choice"
            points = self._counts.describe_points(entry.names, entry.before, chosen)
        return EntryText(self._t(key, number=chosen.deal, points=points))

    @describe.register
    def _describe_remark(self, event: Remark, entry: AuditEntry) -> EntryText:
        """Say which remark was added to a hand (round), or which was removed."""
        before: str | None = entry.before
        number = self._match.number_for_players(event.number)
        if not event.text:
            return EntryText(self._t("history.remark.gone", number=number, text=before or ""))
        more = []
        if before:
            more.append(self._t("history.remark.before", text=before))
        return EntryText(self._t("history.remark", number=number, text=event.text), more)

    @describe.register
    def _describe_penalty(self, event: NotedPenalty, entry: AuditEntry) -> EntryText:
        """Say which penalty was noted for which side, with its points and reason if it has any."""
        number = self._match.number_for_players(event.number)
        side = entry.names[event.side]
        penalty = self._t(f"penalty.{event.code}")
        cost = event.cost(entry.rules)
        if cost is None:
            done = self._t("history.penalty", number=number, side=side, what=penalty)
        else:
            points = self._words.signed(-cost)
            done = self._t(
                "history.penalty.points", number=number, side=side, what=penalty, points=points
            )
        return EntryText(done, self._list_reason(event.reason))

    @describe.register
    def _describe_ruling(self, event: RulingKept, entry: AuditEntry) -> EntryText:
        """Say what the referee was asked and answered, and list the facts and the reasons."""
        side = ""
        if event.side is not None:
            side = entry.names[event.side]
        ruling = ruling_text(event, entry.rules.variant, self._words)
        number = self._match.number_for_players(event.number)
        more = []
        facts = ruling.facts(side)
        if facts:
            more.append(self._t("referee.kept.case", facts=facts))
        for reason in ruling.reasons:
            source = citations_in_words(reason.sources, self._words)
            if source:
                more.append(self._t("referee.kept.reason", text=reason.text, source=source))
            else:
                more.append(reason.text)
        if event.points is not None and side:
            points = self._words.signed(-event.points)
            more.append(self._t("referee.kept.penalty", side=side, points=points))
        return EntryText(self._t("history.ruling", number=number, ruling=ruling.head), more)
