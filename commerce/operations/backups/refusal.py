"""The error of backups and restorations."""


class BackupRefused(Exception):
    """A backup cannot be made or restored. The message says what to do."""
