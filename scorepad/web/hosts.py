"""Which names this machine answers to.

A page elsewhere can make a browser send requests here under a name of its own choosing (DNS rebinding); it cannot do so
under an address. So a request must name the machine as the people at the table do: loopback, one of the machine's
addresses, its `.local` name, or a name given when the pad was started.
"""

from __future__ import annotations

import ipaddress
import socket
from urllib.parse import urlsplit


def is_own(host: str, allowed: tuple[str, ...] = ()) -> bool:
    """Whether the Host of a request, with or without a port, names this machine."""
    name = _name(host)
    if name is None:
        return False
    if name in {"localhost", local_name(), *(each.lower().rstrip(".") for each in allowed)}:
        return True
    try:
        return _is_here(ipaddress.ip_address(name))
    except ValueError:
        return False


def local_name() -> str:
    """The name under which the home network finds this machine."""
    return f"{socket.gethostname().partition('.')[0].lower()}.local"


def home_address() -> str | None:
    """The address under which the home network reaches this machine; None where there is no network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # nothing is sent: the kernel only chooses the way out
        except OSError:
            return None
        address: str = probe.getsockname()[0]
    return None if ipaddress.ip_address(address).is_loopback else address


def _name(host: str) -> str | None:
    try:
        parts = urlsplit(f"//{host}")
        plain = parts.port is None or parts.port > 0
    except ValueError:
        return None
    if not plain or parts.hostname is None or parts.netloc != host or "@" in host or parts.path:
        return None
    return parts.hostname.rstrip(".")


def _is_here(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    """Whether the machine holds this address now: only then a socket can be bound to it."""
    if address.is_loopback:
        return True
    if address.is_unspecified or address.is_multicast or str(address) == "255.255.255.255":
        return False
    family = socket.AF_INET if address.version == 4 else socket.AF_INET6  # noqa: PLR2004 - the protocol's own name
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.bind((str(address), 0))
    except OSError:
        return False
    return True
