"""Whose memory is told of an endpoint."""

import socket

import psutil
import pytest

from prsp_backends.http.resident import resident


@pytest.mark.parametrize(("family", "host", "address"), [(socket.AF_INET, "127.0.0.1", "127.0.0.1"), (socket.AF_INET6, "[::1]", "::1")])
def test_the_process_that_listens_behind_a_url_of_this_machine(family: socket.AddressFamily, host: str, address: str) -> None:
    with socket.socket(family) as server:
        try:
            server.bind((address, 0))
        except OSError:
            pytest.skip(f"this machine has no {address}")
        server.listen()
        port = server.getsockname()[1]
        found = resident(f"http://{host}:{port}/query")
        assert found == pytest.approx(psutil.Process().memory_info().rss, rel=0.2)
        # Documentation addresses (RFC 5737) are nobody's: never ours.
        assert resident(f"http://192.0.2.1:{port}/query") is None
    assert resident(f"http://{host}:{port}/query") is None


def test_a_url_with_an_address_of_a_network_card_is_of_this_machine() -> None:
    cards = [own.address for each in psutil.net_if_addrs().values() for own in each if own.family == socket.AF_INET]
    with socket.socket() as server:
        server.bind(("0.0.0.0", 0))  # to be found at every address
        server.listen()
        assert all(resident(f"http://{address}:{server.getsockname()[1]}/") is not None for address in cards)
