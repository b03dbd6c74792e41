"""Secrets and repetition: sealing, digests, password hashes, idempotency keys, throttling."""
