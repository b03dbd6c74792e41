"""Values derived from rows and kept beside them: counts, ranges, marks of what is stale."""
