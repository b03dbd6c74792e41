"""Staff users: invitations, second factors, history."""
