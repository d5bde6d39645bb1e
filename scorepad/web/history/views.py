"""The audit of a match, and the pages of the players."""

from __future__ import annotations

from flask import Response, abort, request

from scorepad.matches.access import MatchId
from scorepad.web.frame import device_id, page_words, render, the_pad
from scorepad.web.history.audit_page import audit_page
from scorepad.web.history.player_page import ALL, NAMED, player_page, players_page


def audit(match: str) -> Response:
    """Everything that was done in a match, in its order."""
    name, device = MatchId(match), device_id()
    happened = the_pad().records.audit(name, device)
    return render(audit_page(the_pad().state(name, device), happened, page_words()))


def players() -> Response:
    """The names, or the player whose name does not fit into an address."""
    if NAMED in request.args:
        return player(request.args[NAMED])
    device, pad = device_id(), the_pad()
    tag = pad.tag_of_all(device)
    return render(players_page(tag, pad.records.players(device), page_words()))


def player(name: str) -> Response:
    """What somebody of this name has played."""
    device, pad = device_id(), the_pad()
    tag, found = pad.tag_of_all(device), pad.records.player(device, name)
    if found is None:
        abort(404)
    return render(player_page(tag, found, page_words(), whole=ALL in request.args))
