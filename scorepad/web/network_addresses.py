"""The addresses of this machine in its networks."""

from __future__ import annotations

import ipaddress
import socket
import struct
import sys
from contextlib import suppress

_GET_FLAGS = 0x8913
"""SIOCGIFFLAGS of Linux."""
_GET_ADDRESS = 0x8915
"""SIOCGIFADDR of Linux."""
_UP_AND_RUNNING = 0x1 | 0x40
"""IFF_UP and IFF_RUNNING of Linux."""


def is_loopback(name: str | None) -> bool:
    """Whether a host name, or an address without brackets, is loopback."""
    if name == "localhost":
        return True
    try:
        address = ipaddress.ip_address(name or "")
    except ValueError:
        return False
    mapped = getattr(address, "ipv4_mapped", None)
    return (mapped or address).is_loopback


def home_address() -> str | None:
    """The address of this machine in the home network; None without a network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # sends nothing: the kernel chooses the interface
        except OSError:
            return None
        address: str = probe.getsockname()[0]
    return None if is_loopback(address) else address


def home_addresses() -> tuple[str, ...]:
    """The IPv4 addresses of this machine, that of the home network first; on Linux of each
    interface that is up.
    """
    addresses = []
    first = home_address()
    if first is not None:
        addresses.append(first)
    if sys.platform == "linux":
        for address in _interface_addresses():
            if address not in addresses and not is_loopback(address):
                addresses.append(address)
    return tuple(addresses)


def _interface_addresses() -> list[str]:
    """The IPv4 address of each interface that is up, on Linux."""
    addresses = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        for _, name in socket.if_nameindex():
            with suppress(OSError):  # an interface without an address
                if _is_up(probe, name):
                    addresses.append(_address_of(probe, name))
    return addresses


def _is_up(probe: socket.socket, interface: str) -> bool:
    answer = _ask_kernel(probe, _GET_FLAGS, interface)
    flags: int = struct.unpack_from("H", answer, 16)[0]
    return (flags & _UP_AND_RUNNING) == _UP_AND_RUNNING


def _address_of(probe: socket.socket, interface: str) -> str:
    answer = _ask_kernel(probe, _GET_ADDRESS, interface)
    return socket.inet_ntoa(answer[20:24])


def _ask_kernel(probe: socket.socket, question: int, interface: str) -> bytes:
    """The `struct ifreq` that the kernel fills for an interface."""
    from fcntl import ioctl  # not on every system

    asked = struct.pack("256s", interface.encode()[:15])
    return ioctl(probe, question, asked)
