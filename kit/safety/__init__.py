"""Encryption, digests, password hashes, idempotency keys and throttling."""
