"""Webhook endpoints: what staff maintain, and which addresses are allowed."""
