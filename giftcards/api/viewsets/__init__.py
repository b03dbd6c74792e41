"""The routes of gift cards and store credit."""
