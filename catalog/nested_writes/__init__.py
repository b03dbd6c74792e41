"""Nested writes: products with their images, options and variants, variants with their prices, any number in one call.

Each table is written by its own verbs, which the admin site uses, too. An error in a part names its place, such as
`variants[0].prices[1].amount`.
"""
