"""Batches of rows, as verbs and shop files write them: the number of statements does not depend on that of the rows."""
