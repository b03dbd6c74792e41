"""The names of the events of orders."""

ORDER_EVENTS = {
    "order.placed": "A cart became an order.",
    "order.transfer_requested": "A customer asks for an order of somebody else.",
    "order.updated": "An order has another customer or e-mail address.",
}
