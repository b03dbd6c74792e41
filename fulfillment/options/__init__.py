"""Which shipping options a cart can choose, and what they cost."""
