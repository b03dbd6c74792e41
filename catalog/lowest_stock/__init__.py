"""The lowest available stock of each product (LowestStock), by which staff find what is low.

Computing it for 100,000 products takes seconds, so it is kept. Writers of stock do not compute it: two orders of the
same products would wait for each other, or deadlock. Triggers only note what has changed, and never read another table,
where they might miss what another transaction has not committed yet (`triggers`). Whoever reads the lowest stock
computes it again for what was noted (`folding`), and `prune` does so once an hour. A note is visible as soon as the
change is, so that what is read is right.
"""
