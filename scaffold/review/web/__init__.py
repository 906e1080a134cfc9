"""The page for reviewing scores: a small server on this machine, for one person."""
