"""Payment collections, sessions, captures and refunds, and the providers that move the money."""
