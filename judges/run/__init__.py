"""Planning and running suites, and the run directory that keeps what was found."""
