"""The host names under which this machine is reached, and the check of the `Host` and `Origin` of a request.

A page of another site can make a browser send requests here under a name of its own (DNS rebinding), but not under an
address. So the host must be loopback, an address of this machine, its `.local` name, or a name given to `serve`.
"""

from __future__ import annotations

import ipaddress
import re
import socket
import struct
import sys
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

EVERY_ADDRESS = ("", "0.0.0.0", "::", "*")  # noqa: S104 - compared
"""Hosts to listen on that stand for every address of the machine."""
_PLAIN = re.compile(r"[a-z0-9]([a-z0-9._-]*[a-z0-9])?\.?", re.IGNORECASE | re.ASCII)
_ANNOUNCERS = (Path("/run/avahi-daemon/socket"), Path("/usr/sbin/mDNSResponder"))
_ASK_FLAGS, _ASK_ADDRESS = 0x8913, 0x8915
"""Linux ioctls of an interface: SIOCGIFFLAGS and SIOCGIFADDR."""
_UP_AND_RUNNING = 0x1 | 0x40


def is_own(host: str, allowed: tuple[str, ...] = ()) -> bool:
    """Whether the Host of a request, with or without a port, names this machine."""
    name = name_in(host)
    if name is None:
        return False
    if name in {"localhost", local_name(), *(each.lower().rstrip(".") for each in allowed)}:
        return True
    try:
        return _is_here(ipaddress.ip_address(name))
    except ValueError:
        return False


def is_own_page(origin: str | None, host: str, allowed: tuple[str, ...] = ()) -> bool:
    """Whether a form was sent by a page of this machine, by the `Origin` of the request.

    Without an origin (or with `null`) the CSRF token decides. The origin may differ from the host behind a proxy.
    """
    if origin in (None, "", "null"):
        return True
    place = (origin or "").partition("://")[2]
    return place.lower() == host.lower() or is_own(place, allowed)


def is_plain(name: str) -> bool:
    """Whether this is a host name or an IPv4 address, without scheme, port or path."""
    return _PLAIN.fullmatch(name) is not None


def local_name() -> str:
    """The mDNS name of this machine."""
    return f"{socket.gethostname().partition('.')[0].lower()}.local"


def announced_name() -> str | None:
    """The mDNS name, if this machine announces it; else None."""
    return local_name() if any(path.exists() for path in _ANNOUNCERS) else None


def is_loopback(name: str | None) -> bool:
    """Whether a host name, or an address without brackets, is loopback."""
    if name == "localhost":
        return True
    try:
        address = ipaddress.ip_address(name or "")
    except ValueError:
        return False
    inner = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return (inner or address).is_loopback


def home_addresses() -> tuple[str, ...]:
    """The IPv4 addresses of this machine, that of the home network first."""
    found = [home_address(), *_of_interfaces()]
    return tuple(dict.fromkeys(address for address in found if address is not None))


def _of_interfaces() -> tuple[str, ...]:
    """The address of each interface that is up; none on systems other than Linux."""
    if sys.platform != "linux":
        return ()
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        found = (_of_interface(probe, name) for _, name in socket.if_nameindex())
        return tuple(address for address in found if address is not None and not is_loopback(address))


def _of_interface(probe: socket.socket, name: str) -> str | None:
    from fcntl import ioctl  # not on every system

    asked = struct.pack("256s", name.encode()[:15])
    with suppress(OSError):  # an interface without an address
        flags = struct.unpack_from("H", ioctl(probe, _ASK_FLAGS, asked), 16)[0]
        if flags & _UP_AND_RUNNING == _UP_AND_RUNNING:
            return socket.inet_ntoa(ioctl(probe, _ASK_ADDRESS, asked)[20:24])
    return None


def home_address() -> str | None:
    """The address of this machine in the home network; None without a network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # sends nothing: the kernel chooses the interface
        except OSError:
            return None
        address: str = probe.getsockname()[0]
    return None if ipaddress.ip_address(address).is_loopback else address


def name_in(host: str) -> str | None:
    """The host name in a `Host` header, without the port; None if it is malformed."""
    try:
        parts = urlsplit(f"//{host}")
        plain = parts.port is None or parts.port > 0
    except ValueError:
        return None
    if not plain or parts.hostname is None or parts.netloc != host or "@" in host or parts.path:
        return None
    return parts.hostname.rstrip(".")


def _is_here(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    """Whether this is an address of the machine: then a socket can be bound to it."""
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
