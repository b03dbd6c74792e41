"""Orders: completing a cart, payment, fulfillments, returns, refunds, transfers, reports."""
