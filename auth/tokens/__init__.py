"""JWTs: signed, verified, issued."""
