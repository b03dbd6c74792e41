"""The lowest available stock of each product (LowestStock), by which staff find what is low.

Computing it takes seconds for 100,000 products, so it is stored. Writers of stock do not update it, because orders of
the same products would then wait for each other or deadlock. Instead, triggers mark what has changed as stale, without
reading any other table, where they might miss what another transaction has not committed yet (`triggers`). Readers call
`recompute_in_request` first, which recomputes the products concerned (`recomputing`); `recompute_lowest`, which the
background process runs every 10 s, and `prune` do the same. A mark is committed together with its change, so a reader
never misses one. `rebuild_search` recomputes all products.
"""
