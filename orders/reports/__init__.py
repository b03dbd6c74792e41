"""Sales, counts and exports."""
