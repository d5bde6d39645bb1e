"""The addresses that `serve` and `link` print, and their QR codes."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from scorepad.cli.output import printable_name, t
from scorepad.web.host_names import EVERY_ADDRESS, announced_name
from scorepad.web.network_addresses import home_addresses, is_loopback

DEFAULT_HOST = "127.0.0.1"
DEFAULT_PORT = 8765
_BLOCKS = "\N{UPPER HALF BLOCK}\N{LOWER HALF BLOCK}\N{FULL BLOCK}"
_BLACK_ON_WHITE = "\033[97;40m"
_RESET = "\033[0m"


def server_address_lines(host: str, port: int, path: Path) -> Iterator[str]:
    """Yield the lines that the server prints when it starts: its addresses and its data file.

    If phones in the network can reach it, their addresses follow, with a QR code. `host` is what
    the server listens on.
    """
    if host in EVERY_ADDRESS:
        yield from _lines_for_every_address(port, path)
        return
    address = f"http://{bracketed(host)}:{port}/"
    yield t("cli.serve.listening", address=address, data=printable_name(path))
    if not is_loopback(host):
        yield from _lines_for_phones([address])


def _lines_for_every_address(port: int, path: Path) -> Iterator[str]:
    """Yield the lines for a server that listens on every address of this computer."""
    hosts_in_network = list(home_addresses())
    if not hosts_in_network:
        address = f"http://{DEFAULT_HOST}:{port}/"
        yield t("cli.serve.listening", address=address, data=printable_name(path))
        yield t("cli.serve.no-network")
        return

    name_in_network = announced_name()  # `laptop.local`, if the network knows this computer by it
    if name_in_network:
        hosts_in_network.append(name_in_network)
    addresses = [f"http://{bracketed(host)}:{port}/" for host in hosts_in_network]
    yield t("cli.serve.listening", address=addresses[0], data=printable_name(path))
    yield t("cli.serve.here", address=f"http://localhost:{port}/")
    yield from _lines_for_phones(addresses)


def _lines_for_phones(addresses: Sequence[str]) -> Iterator[str]:
    """Yield the addresses for phones in the network, and a QR code for the first one."""
    yield t("cli.serve.phones")
    for address in addresses:
        yield f"  {address}"
    code = terminal_qr(addresses[0])
    if code:
        yield code
        yield t("cli.serve.scan", address=addresses[0])


def bracketed(host: str) -> str:
    """Write a host as it stands in a URL.

    - an IPv6 address, in which there are colons: `::1` → `[::1]`
    - any other: `localhost` → `localhost`
    """
    return f"[{host}]" if ":" in host else host


def terminal_qr(address: str) -> str:
    """Draw the QR code of an address with block characters, in less than 60 columns.

    In a terminal it is black on white, whatever the colours of the terminal; in a file it has no
    colours. It is empty if the output cannot show the block characters.
    """
    try:
        _BLOCKS.encode(sys.stdout.encoding or "ascii")
    except (LookupError, UnicodeEncodeError):
        return ""
    import segno

    code = segno.make(address, error="l", micro=False)
    drawing = io.StringIO()
    code.terminal(drawing, compact=True)
    lines = drawing.getvalue().splitlines()
    if sys.stdout.isatty():
        lines = [f"{_BLACK_ON_WHITE}{line}{_RESET}" for line in lines]
    return "\n".join(lines)
