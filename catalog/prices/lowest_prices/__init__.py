"""The lowest prices of each product (LowestPrice), by which the store sorts (catalog/prices/price_order.py).

Reading every variant and price of 10,000 products takes a third of a second, so the lowest amounts are stored. Writers
of prices do not update them, because they would then wait for each other or deadlock. Instead, triggers mark what has
changed as stale (`triggers`). `recompute_lowest`, which the background process runs every 10 s, and `prune` compute the
products concerned again (`recomputing`), and `rebuild_search` all products. Until then, readers compute these from
their prices: a mark is committed together with its change.
"""
