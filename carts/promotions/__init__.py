"""Promotions: what staff maintain (with rules and campaigns), which ones a cart has, how often they were used."""
