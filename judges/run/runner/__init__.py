"""Outputs from a program of the author's own: `runner:` of a suite.

The runner is started once a suite, in the suite's `test_root`, with the variables of its `config:`. It reads
requests from its standard input and writes answers to its standard output, JSON lines both, until its input
ends. Several requests may be open at a time; answers may come in any order.

    in   {"id": "1", "input": {…}, "arm": null, "replica": 1, "model": null}
    out  {"id": "1", "output": "…"}    or    {"id": "1", "error": "…"}

* `model` is the name that the suite's `model:` or `--model` gives, as it is written there.
* An answer may have `usage` (`input_tokens`, `output_tokens`), `cost_usd`, `latency_ms` and `events` (a list
  that is kept in the record). Other keys are free. Tokens without a cost are priced as those of `model`,
  where its price is known.
* Files with cases that only the runner can read (`.ts`) are asked for one by one:
  `{"id": "1", "cases": true, "file": "/…/english.ts"}`, answered by `{"id": "1", "cases": [{…}, …]}`, or by
  `{"cases": {…}}` where the file is a single case.
* Standard error is free. The run keeps it in `runner.stderr.log`; a failure shows its last error.

A runner that ends, or is silent for `runner_timeout_seconds` with requests open, makes all open trials ERROR;
the others go to a fresh process. So does one that writes to standard output what is no answer to an open
request: what it is about cannot be told. A wrong answer to an open request is an ERROR of its trial alone.
After three processes in a row without any answer the runner is given up.
"""
