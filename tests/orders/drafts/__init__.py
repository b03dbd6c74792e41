"""Draft orders."""
