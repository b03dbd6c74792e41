"""The kept counts of orders, by combination (OrderCount) and by range of values (OrderRangeCount).

A list of orders shows how many match. Triggers append rows for each order that is created, changed or deleted
(`triggers`); a count is the sum of rows. No row is ever changed, so that two writers never wait for each other. `prune`
replaces the rows of a combination or range by their sum (`folding`), and `recount_orders` counts the orders again
(`recounting`).
"""
