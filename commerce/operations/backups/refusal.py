"""Why a backup or a restoration did not take place."""


class BackupRefused(Exception):
    """The message says what to do."""
