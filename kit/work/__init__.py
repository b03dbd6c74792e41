"""Work that outlives its process: rows that stand until it is done."""
