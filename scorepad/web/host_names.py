"""The names under which this machine may be asked.

A page of another site can make a browser send requests here under its own host name (DNS
rebinding), but not under an IP address. So the host of a request must be loopback, an address of
this machine, its `.local` name, or a name given to `serve`.
"""

from __future__ import annotations

import ipaddress
import re
import socket
from pathlib import Path
from urllib.parse import urlsplit

from scorepad.web.network_addresses import is_loopback

EVERY_ADDRESS = ("", "0.0.0.0", "::", "*")  # noqa: S104 - compared
"""Hosts to listen on that mean every address of the machine."""
_PLAIN = re.compile(r"[a-z0-9]([a-z0-9._-]*[a-z0-9])?\.?", re.IGNORECASE | re.ASCII)


def is_own_host(host: str, allowed: tuple[str, ...] = ()) -> bool:
    """Tell whether a `Host` header, such as `192.168.1.5:8765`, names this machine.

    `allowed` are further names of the machine, besides its addresses and its `.local` name.
    """
    name = host_name(host)
    if name is None:
        return False
    if is_loopback(name) or name == local_name():
        return True
    for allowed_name in allowed:
        if name == allowed_name.lower().rstrip("."):
            return True
    return _is_own_address(name)


def _is_own_address(text: str) -> bool:
    """Tell whether a text is an IP address that is assigned to this machine.

    A socket can be bound only to an address of the machine, so that is tried.
    """
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return False
    # A socket can be bound to these as well, but they are the address of no single machine.
    if address.is_unspecified or address.is_multicast or text == "255.255.255.255":
        return False

    is_ipv4 = isinstance(address, ipaddress.IPv4Address)
    family = socket.AF_INET if is_ipv4 else socket.AF_INET6
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.bind((str(address), 0))
    except OSError:  # the address of another machine
        return False
    return True


def is_host_name(name: str) -> bool:
    """Tell whether this is a host name or an IPv4 address, without scheme, port or path."""
    return _PLAIN.fullmatch(name) is not None


def host_name(host: str) -> str | None:
    """Read the host name in a `Host` header, without the port; None if the header is malformed.

    - `tavolo.local:8765` → `tavolo.local`
    - `[::1]:8765` → `::1`
    - `user@tavolo.local` → None
    """
    try:
        parts = urlsplit(f"//{host}")
        name = parts.hostname
        port = parts.port
    except ValueError:
        return None
    if name is None or port == 0:
        return None
    has_more_than_host = parts.netloc != host or "@" in host  # a path, or a user name
    if has_more_than_host:
        return None
    return name.rstrip(".")


def local_name() -> str:
    """Return the mDNS name of this machine: `tavolo.local`."""
    machine = socket.gethostname().partition(".")[0]
    return f"{machine.lower()}.local"


def announced_name() -> str | None:
    """Return the mDNS name of this machine, if it announces that in the network; else None.

    Two programs may announce it: Avahi under Linux, and mDNSResponder under macOS.
    """
    for announcer in (Path("/run/avahi-daemon/socket"), Path("/usr/sbin/mDNSResponder")):
        if announcer.exists():
            return local_name()
    return None
