"""The kept counts of products: how many the store shows in each sales channel (ProductCount).

A list shows how many match. Without a filter, that is the sum of the channel's rows. Triggers append rows for each
statement that publishes, deletes or links products (`triggers`); no row is ever changed, so that two writers never
wait for each other's counts. `prune` replaces the rows of a channel by their sum (`folding`), and `recount_products`
counts the products again (`recounting`).

Two transactions that publish a product and link it to a channel at once do not see each other's change. The triggers
of the product's search entry (catalog/search) have locked it by then, before those of a statement run: the second
transaction has waited for the first, and sees what it committed.
"""
