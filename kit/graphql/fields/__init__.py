"""Fields of the schema, and how they are resolved."""
