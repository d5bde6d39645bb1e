"""`scorepad link`: new links to a running server."""

from __future__ import annotations

from ipaddress import IPv6Address
from pathlib import Path

import click

from scorepad.cli.addresses import DEFAULT_HOST, DEFAULT_PORT, terminal_qr
from scorepad.cli.data_file import open_pad
from scorepad.cli.options import command, data, option
from scorepad.cli.output import DONE, LONGEST, Stop, printable_name, t, write_line
from scorepad.matches.access import ADMIN, MatchId
from scorepad.matches.devices import Devices
from scorepad.web.host_names import EVERY_ADDRESS, is_host_name
from scorepad.web.network_addresses import home_address


@command
@click.argument("match", required=False, metavar="MATCH")
@option("--admin", is_flag=True, help="cli.link.admin")
@option("--host", metavar="H", help="cli.link.host")
@option(
    "--port", default=DEFAULT_PORT, type=click.IntRange(1, 65535), metavar="P", help="cli.link.port"
)
@data
def link_command(
    match: str | None, admin: bool, host: str | None, port: int, data: Path | None
) -> int:
    """Run `scorepad link`: print new links for one match, or with `--admin` one for all matches."""
    if match is not None and not admin:
        devices = open_pad(data).devices
        # Phones open these links, so they need the address of this computer in the network.
        host_for_phones = _link_host(host)
        _print_match_links(devices, MatchId(match), f"http://{host_for_phones}:{port}")
        return DONE
    if admin and match is None:
        devices = open_pad(data).devices
        # The owner opens this link on this computer, unless another host is named.
        admin_host = "localhost" if host is None else _link_host(host)
        _print_admin_link(devices, f"http://{admin_host}:{port}")
        return DONE
    raise Stop("cli.link.one")  # "Give the name of a match … or --admin: one of the two."


def _print_admin_link(devices: Devices, origin: str) -> None:
    """Make a link with which a browser can see and change all matches, and print it.

    The link works once.
    """
    write_line(t("cli.admin", address=f"{origin}/casa/{devices.make_admin_link()}"))
    write_line(t("cli.link.admin.text", origin=origin))


def _print_match_links(devices: Devices, match: MatchId, origin: str) -> None:
    """Give a match new keys, and print its two links: to keep score, and to watch only.

    All links and devices that had access before lose it.
    """
    keys = devices.start_over(match, ADMIN)
    link_to_write = f"{origin}/e/{keys.write}"
    write_line(t("cli.link.done", match=match))
    write_line(t("cli.link.write"))
    write_line(f"  {link_to_write}")
    code = terminal_qr(link_to_write)
    if code:
        write_line(code)
    write_line(t("cli.link.view"))
    write_line(f"  {origin}/e/{keys.view}")


def _link_host(host: str | None) -> str:
    """Choose the host for a link: the given one, or the address of this computer in the network.

    An IPv6 address gets brackets, if it has none. Raises Stop if the given one is no host.
    """
    if host is None or host in EVERY_ADDRESS:
        return home_address() or DEFAULT_HOST
    if is_host_name(host):
        return host
    without_brackets = host.removeprefix("[").removesuffix("]")
    try:
        address = IPv6Address(without_brackets)
    except ValueError:
        raise Stop("cli.link.no-host", given=printable_name(host[:LONGEST])) from None
    return f"[{address}]"
