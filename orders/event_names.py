"""The names of the events of orders."""

ORDER_EVENTS = {
    "order.placed": "A cart became an order.",
}
