"""The store and its sales channels."""
