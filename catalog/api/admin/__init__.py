"""The catalogue's routes for staff and programs, below /admin."""
