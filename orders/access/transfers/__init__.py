"""Transfers of orders to other customers."""
