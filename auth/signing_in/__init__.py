"""Registration and sign-in, with what slows down guessing."""
