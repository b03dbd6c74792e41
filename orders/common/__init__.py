"""What several subjects of orders need."""
