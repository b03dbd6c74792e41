"""Many rows inserted, updated, copied or deleted by one statement."""
