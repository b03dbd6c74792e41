"""GraphQL documents: parsed, bounded, with their variables."""
