"""What `scorepad link` does: new keys for a match, or the token of a home link, printed as addresses."""

from __future__ import annotations

from ipaddress import IPv6Address

from scorepad.cli.datafile import data_path, open_pad, storage_stop
from scorepad.cli.drawing import drawn
from scorepad.cli.ending import DONE, Stop
from scorepad.cli.printing import say, shown
from scorepad.i18n import Words
from scorepad.pad.errors import MatchNotFound
from scorepad.pad.who import KEEPER, Keys, MatchId
from scorepad.storage.errors import StorageError
from scorepad.web.hosts import EVERY_ADDRESS, home_address, is_plain


def link_match(match: str, host: str | None, port: int, data: str | None, speech: Words) -> int:
    """Make new keys, and print the addresses that open the match with them. Raises Stop."""
    before = f"http://{_host(host, speech)}:{port}/e/"
    keys = _keys(match, data, speech)
    say(speech.text("cli.link.done", match=match))
    say(f"{speech.text('cli.link.write')}\n  {before}{keys.write}")
    picture = drawn(f"{before}{keys.write}")
    if picture:
        say(picture)
    say(f"{speech.text('cli.link.view')}\n  {before}{keys.view}")
    return DONE


def link_home(host: str | None, port: int, data: str | None, speech: Words) -> int:
    """Print a link that gives one browser every match. Raises Stop."""
    before = f"http://{'localhost' if host is None else _host(host, speech)}:{port}"
    try:
        token = open_pad(data_path(data, speech), speech).doors.make_home_link()
    except StorageError as trouble:
        raise storage_stop(trouble, speech) from trouble
    say(speech.text("cli.home", address=f"{before}/casa/{token}"))
    say(speech.text("cli.link.home.told", origin=before))
    return DONE


def _keys(match: str, data: str | None, speech: Words) -> Keys:
    try:
        return open_pad(data_path(data, speech), speech).doors.start_over(MatchId(match), KEEPER)
    except MatchNotFound:
        raise Stop(speech.text("cli.no-match", match=shown(match[:40]))) from None
    except StorageError as trouble:
        raise storage_stop(trouble, speech) from trouble


def _host(host: str | None, speech: Words) -> str:
    """The name under which phones find the pad: the one given, or the address of the home network."""
    if host is None or host in EVERY_ADDRESS:
        return home_address() or "127.0.0.1"
    if is_plain(host):
        return host
    try:
        return f"[{IPv6Address(host.removeprefix('[').removesuffix(']'))}]"
    except ValueError:
        raise Stop(speech.text("cli.link.no-host", given=shown(host[:40]))) from None
