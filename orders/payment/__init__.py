"""The payments and the payment status of an order."""
