"""Payment sessions: started, authorized, refreshed."""
