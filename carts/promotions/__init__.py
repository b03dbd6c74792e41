"""Promotions: what staff maintain, what a code takes off, how often it was used."""
