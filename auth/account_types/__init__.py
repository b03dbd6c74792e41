"""Whose login it is: a customer's or a user's, and the actor that it becomes."""
