"""The child process: serves one GGUF file by OpenAI's API on a free loopback port until its input ends.

It is run as a program of its own, and imports nothing of this project. The first line of its output tells, as
JSON, the address and the key that it made up. A crash of the native code, or a call that cannot be
interrupted, stays in here; when the parent goes, in whatever way, the input ends.
"""

import argparse
import json
import os
import secrets
import sys
from typing import Any


def main() -> None:
    """Load the model, announce the address, and serve."""
    parser = argparse.ArgumentParser()
    parser.add_argument("model")
    parser.add_argument("--threads", type=int, required=True)
    parser.add_argument("--context", type=int, required=True)
    options = parser.parse_args()
    # Waiting threads that spin make everything four times slower on a busy machine; read when libgomp loads.
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    import xllamacpp

    parameters = build_parameters(xllamacpp.CommonParams(), options)
    try:
        server = xllamacpp.Server(parameters)
    except RuntimeError:
        os._exit(1)  # the runtime has told why
    try:
        announcement = {"base_url": f"{server.listening_address}/v1", "key": parameters.api_keys[0]}
        sys.stdout.write(json.dumps(announcement) + "\n")
        sys.stdout.flush()
        os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # whatever else is printed belongs to the log
        sys.stdin.read()
    finally:  # the parent has gone, perhaps while the model was loaded
        os._exit(0)  # an orderly exit would wait for the runtime's threads, which may never end


def build_parameters(parameters: Any, options: argparse.Namespace) -> Any:
    """Return the runtime's parameters: one request at a time, same question same answer, closed to others."""
    parameters.model.path = options.model
    parameters.n_ctx = options.context
    parameters.n_parallel = 1
    parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = options.threads
    parameters.n_gpu_layers = 0
    parameters.fit_params = False
    parameters.hostnames = ["127.0.0.1"]
    parameters.port = 0
    parameters.api_keys = [secrets.token_hex(16)]
    parameters.cors_origins = ""
    parameters.ui = parameters.endpoint_slots = parameters.endpoint_props = False
    parameters.offline = True
    parameters.cache_ram_mib = 0
    parameters.verbosity = 1  # errors; never what a prompt says
    return parameters


if __name__ == "__main__":
    main()
