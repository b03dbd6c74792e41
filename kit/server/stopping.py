"""How a web process stops without losing requests: for a while it answers what still arrives, and closes connections.

A proxy reuses connections. If the server closed one while a request is on its way, the proxy could not know whether
the request was carried out. So each connection ends with an answer that announces its end.
"""

import threading
from collections.abc import AsyncIterator

from kit.server.rsgi import Exchange, HeaderList

STOPPING = threading.Event()
"""Set once this process is to stop."""

_CLOSE = ("connection", "close")


class LastExchange:
    """An exchange whose answer is the last one of its connection."""

    def __init__(self, exchange: Exchange) -> None:
        self._exchange = exchange

    def __aiter__(self) -> AsyncIterator[bytes]:
        return aiter(self._exchange)

    async def client_disconnect(self) -> None:
        await self._exchange.client_disconnect()

    def response_empty(self, status: int, headers: HeaderList) -> None:
        self._exchange.response_empty(status, [*headers, _CLOSE])

    def response_bytes(self, status: int, headers: HeaderList, body: bytes) -> None:
        self._exchange.response_bytes(status, [*headers, _CLOSE], body)

    def response_file(self, status: int, headers: HeaderList, file: str) -> None:
        self._exchange.response_file(status, [*headers, _CLOSE], file)
