"""Responses stored under Idempotency-Keys."""
