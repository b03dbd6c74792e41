"""ModelAdmin bases: read-only, soft-deleting, restorable, calling verbs."""
