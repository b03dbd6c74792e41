"""What stands between a cart and its order: shipping methods, credit, taxes, payment, closing."""
