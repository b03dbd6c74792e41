"""Which IP addresses webhooks may be sent to: those of the public internet alone.

Staff who may enter an address could otherwise reach what only this host can: databases, metadata of the cloud, routers.
"""

from ipaddress import IPv6Address, ip_address, ip_network

_GLOBAL_UNICAST = ip_network("2000::/3")
_HOLDING_IPV4 = tuple(map(ip_network, ("2001::/32", "2002::/16")))  # Teredo and 6to4; NAT64 is not global unicast
_MORE_RESERVED = tuple(map(ip_network, ("192.88.99.0/24", "3fff::/20")))  # younger or older than `ipaddress` knows


def is_public(text: str) -> bool:
    """Whether the IP address, as text, is a public one of a single host, and no IPv4 address in disguise."""
    if "%" in text:  # an interface of this host
        return False
    address = ip_address(text)
    if not address.is_global or address.is_multicast or address.is_reserved:
        return False
    if isinstance(address, IPv6Address) and not _is_native(address):
        return False
    return not any(address in network for network in _MORE_RESERVED if network.version == address.version)


def _is_native(address: IPv6Address) -> bool:
    return address in _GLOBAL_UNICAST and not any(address in network for network in _HOLDING_IPV4)
