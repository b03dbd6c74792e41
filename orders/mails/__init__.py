"""The mails about orders."""
