"""The routes of payments."""
