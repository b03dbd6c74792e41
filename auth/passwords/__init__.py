"""Password rules, updates and resets."""
