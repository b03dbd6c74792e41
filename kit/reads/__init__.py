"""Selection and serializer class to statements to JSON-ready rows: the read machinery of every transport."""
