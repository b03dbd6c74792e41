"""The project: settings, URLs, the GraphQL schema, and what may know every app."""
