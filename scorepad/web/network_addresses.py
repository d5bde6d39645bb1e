"""The addresses of this machine in its networks."""

from __future__ import annotations

import ipaddress
import socket


def is_loopback(name: str | None) -> bool:
    """Tell whether a host name or an IP address, without brackets, means this machine itself.

    - `localhost`, `127.0.0.1`, `::1`, `::ffff:127.0.0.1` → True
    - `192.168.1.5`, another name, None → False
    """
    if name is None:
        return False
    if name == "localhost":
        return True
    try:
        address = ipaddress.ip_address(name)
    except ValueError:
        return False
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped:
        return address.ipv4_mapped.is_loopback
    return address.is_loopback


def home_address() -> str | None:
    """Find the address of this machine in the home network; None without a network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # Connecting by UDP sends nothing: the kernel only chooses the interface for an address
            # elsewhere.
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return None
        address: str = probe.getsockname()[0]
    return None if is_loopback(address) else address


def home_addresses() -> tuple[str, ...]:
    """List the IPv4 addresses under which other devices may reach this machine.

    It has one on each interface that is up. That of the home network comes first.
    """
    addresses = []
    first = home_address()
    if first is not None:
        addresses.append(first)
    for address in _interface_addresses():
        if address not in addresses and not is_loopback(address):
            addresses.append(address)
    return tuple(addresses)


def _interface_addresses() -> list[str]:
    """List the IPv4 addresses of the network interfaces of this machine that are up.

    The list is empty where psutil is missing, or may not ask: telephones forbid it.
    """
    try:
        import psutil  # only a server that is reached over the network asks for them

        states = psutil.net_if_stats()
        addresses_by_interface = psutil.net_if_addrs()
    except (ImportError, OSError):
        return []

    addresses = []
    for interface, assigned in addresses_by_interface.items():
        if interface not in states or not states[interface].isup:
            continue
        for each in assigned:
            if each.family == socket.AF_INET:
                addresses.append(each.address)
    return addresses
