"""Printable packing lists and delivery notes."""
