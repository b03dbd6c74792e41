"""Messages to others: emails, events, webhooks."""
