"""The client register, documents and transactions of a practice. Nothing is built here yet."""
