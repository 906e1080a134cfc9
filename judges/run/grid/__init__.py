"""Running grids: every arm with every model on every task, several times, and what differs between arms."""
