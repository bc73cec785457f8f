"""The quote checker: a pasted text, citation by citation. Nothing of it is kept or logged."""
