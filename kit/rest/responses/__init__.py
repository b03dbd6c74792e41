"""What a response says: JSON, errors, caching."""
