"""How many outputs a grid, or the gating of an edit, takes."""


def count_measurement(*, arms: int, models: int, tasks: int, repeat: int) -> int:
    """Return how many outputs a grid takes."""
    return arms * models * tasks * repeat


def count_gate(*, models: int, corpus: int, repeat: int, null_control: bool = False) -> int:
    """Return how many outputs it takes to gate an edit.

    The current text and the candidate are given the corpus and the target task; with a null control the
    current text is given them once more.
    """
    texts = 3 if null_control else 2
    return texts * models * (corpus + 1) * repeat
