"""From older shapes of `prompt-meta.yaml` to the current one: as plain data, then as text, then as files."""
