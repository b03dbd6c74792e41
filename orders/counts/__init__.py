"""The kept counts of orders (OrderCount).

A list of orders shows how many match. Triggers append a row for each order that is created, changed or deleted
(`triggers`); a count is the sum of the rows of a combination. No row is ever changed, so that two writers never wait
for each other. `prune` replaces the rows of a combination by their sum (`folding`), and `recount_orders` counts the
orders again (`recounting`).
"""
