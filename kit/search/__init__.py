"""Free-text search: `q` of every list.

text.py defines the words of a text and where a word is found; everything else follows it, so that PostgreSQL and SQLite
find the same rows. Rows keep their folded text (documents.py); a model whose search spans several tables has entries
of its own (queries.py).
"""
