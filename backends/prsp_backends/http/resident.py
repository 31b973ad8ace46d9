"""How much memory an endpoint holds, where it is a process of this machine that may be looked at."""

from __future__ import annotations

import ipaddress
import socket
from urllib.parse import urlsplit

import psutil

_PORTS = {"http": 80, "https": 443}


def resident(url: str) -> int | None:
    """Bytes that the process listening behind a URL holds; None where it is another machine's, or not ours to look at."""
    parts = urlsplit(url)
    port = parts.port or _PORTS.get(parts.scheme)
    try:
        if not all(_ours(address[0]) for *_, address in socket.getaddrinfo(parts.hostname, port, type=socket.SOCK_STREAM)):
            return None
        owners = {c.pid for c in psutil.net_connections("tcp") if c.status == psutil.CONN_LISTEN and c.laddr and c.laddr.port == port}
        owners.discard(None)
        return int(psutil.Process(owners.pop()).memory_info().rss) if len(owners) == 1 else None
    except (OSError, psutil.Error):
        return None


def _ours(address: object) -> bool:
    """Whether an address is one of this machine's."""
    return ipaddress.ip_address(str(address)).is_loopback or any(
        address == own.address for of_card in psutil.net_if_addrs().values() for own in of_card
    )
