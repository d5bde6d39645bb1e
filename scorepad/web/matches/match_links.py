"""The links from the page of a match to its other pages."""

from __future__ import annotations

from typing import NamedTuple

from scorepad.matches.projection import MatchState


class MatchLink(NamedTuple):
    """A link to another page of a match: the endpoint of that page, and the key of the link's text."""

    endpoint: str
    text_key: str


_ASK_REFEREE = MatchLink("referee.start_in_match", "referee.link")
_PENALTY = MatchLink("actions.penalty", "match.link.penalty")
_PHONES = MatchLink("phones.page", "match.link.phones")
_SHARE = MatchLink("share.page", "match.link.share")
_SHARE_SO_FAR = MatchLink("share.page", "match.link.share-so-far")
_SHEET = MatchLink("share.sheet", "web.sheet")
_CHART = MatchLink("share.chart", "match.link.chart")
_BOARD = MatchLink("live.board", "match.link.board")
_LOG = MatchLink("history.audit", "match.link.audit")
_SAVE_FILE = MatchLink("files.save", "files.link")
_NAMES = MatchLink("actions.names", "match.names.title")
_REPLACE_PLAYER = MatchLink("actions.replace", "match.link.replace")
_RULES = MatchLink("actions.rules", "match.link.rules")
_ONE_SIDE_COUNTS = MatchLink("matches.switch", "match.link.switch")
_END = MatchLink("actions.end", "match.link.end")


class MatchLinks(NamedTuple):
    """The links that the page of a match offers, in four groups."""

    near: list[MatchLink]
    """What is wanted during the game; these are buttons."""
    watch: list[MatchLink]
    """Pages that show something."""
    change: list[MatchLink]
    """Pages that change the match."""
    finish: list[MatchLink]
    """Pages that end the match before somebody has won."""


def list_match_links(match: MatchState, *, is_alone: bool) -> MatchLinks:
    """List the links that the page of a match offers to the device that asked for it.

    A device that may only view the match gets none that change it, and a finished match none that
    only matter during the game. `is_alone`: no other device has the match, which could check what
    this one counts; that can only be switched off.
    """
    is_finished = match.status.finished
    near = [_SHARE, _SHEET] if is_finished else _list_links_during_game(match)
    change = []
    finish = []
    if match.access.can_write:
        change.append(_NAMES)
        if not is_finished:
            change += [_REPLACE_PLAYER, _RULES]
            if match.checking or not is_alone:
                change.append(_ONE_SIDE_COUNTS)
            finish.append(_END)
    return MatchLinks(near=near, watch=_list_watch_links(match), change=change, finish=finish)


def _list_links_during_game(match: MatchState) -> list[MatchLink]:
    """List the links that are wanted during the game.

    They lead to the referee, to a penalty, to the phones of the match, and to sharing the score.
    """
    links = [_ASK_REFEREE]
    if match.access.can_write and match.rules.penalties:
        links.append(_PENALTY)
    links += [_PHONES, _SHARE_SO_FAR]
    return links


def _list_watch_links(match: MatchState) -> list[MatchLink]:
    """List the links to pages that show something, such as the chart of the totals and the log.

    Pages to which the match has a button are left out.
    """
    links = []
    has_button_for_sheet = match.status.finished
    if not has_button_for_sheet:
        links.append(_SHEET)
    if match.hands:
        links.append(_CHART)
    links += [_BOARD, _LOG, _SAVE_FILE]
    has_button_for_phones = not match.status.finished
    if not has_button_for_phones:
        links.append(_PHONES)
    return links
