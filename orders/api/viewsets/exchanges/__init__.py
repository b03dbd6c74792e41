"""The routes of exchanges and claims."""

from orders.api.viewsets.exchanges.inbound import ClaimedItems, ClaimInbound, ExchangeInbound
from orders.api.viewsets.exchanges.outbound import ClaimOutbound, ExchangeOutbound
from orders.api.viewsets.exchanges.whole import Claims, Exchanges

__all__ = [
    "ClaimInbound",
    "ClaimOutbound",
    "ClaimedItems",
    "Claims",
    "ExchangeInbound",
    "ExchangeOutbound",
    "Exchanges",
]
