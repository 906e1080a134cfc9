"""The gate: whether an edit of a gated block may be applied. It measures nothing itself."""
