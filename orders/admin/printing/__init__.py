"""Packing lists and delivery notes to print."""
