"""The kept counts of products: how many the store shows in each sales channel (ProductCount).

A list shows how many match. Without a filter, that is the sum of the channel's rows. Triggers append rows for each
statement that publishes, deletes or links products (`triggers`); no row is ever changed, so that two writers never
wait for each other's counts. `prune` replaces the rows of a channel by their sum (`folding`), and `recount_products`
counts the products again (`recounting`).

If one transaction publishes a product while another links it to a channel, neither sees the other's change. But the
triggers of the search entry (catalog/search), which run first, have locked that entry: the second transaction waits for
the first, and then sees what it committed.
"""
