"""What carts must cost: 340 cases with exact amounts, a plain program with fractions, and all usual prices."""
