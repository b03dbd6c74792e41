"""Backups: one file with the database, the pictures and what identifies both; and their restoration."""
