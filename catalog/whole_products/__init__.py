"""Products and variants with what belongs to them, as programs write them: any number in one call.

Each table is written by its own verbs, which staff's screens use, too. A fault in a part names its place, such as
`variants[0].prices[1].amount`.
"""
