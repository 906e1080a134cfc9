"""A program that behaves as a model's server does, without a model: `fake_model_server.py [BEHAVIOUR]`.

Its replies are the request's body as JSON text, so that a test sees what was sent; the first part of its
path is its process id. A message that holds `crash` ends it, one that holds `hang` is never answered.
Behaviours: `silent` never announces itself, `rubbish` announces nothing usable, `broken` ends at its start
with a reason.
"""

import json
import os
import signal
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

KEY = "key-of-the-fake"


class Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        said = body["messages"][-1]["content"]
        if "crash" in said:
            os.kill(os.getpid(), signal.SIGKILL)
        if "hang" in said:
            time.sleep(60)
        authorized = self.headers["Authorization"] == f"Bearer {KEY}"
        reply = {
            "choices": [
                {"message": {"role": "assistant", "content": json.dumps(body)}, "finish_reason": "stop"}
            ],
            "usage": {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18},
        }
        content = json.dumps(reply).encode()
        self.send_response(200 if authorized else 401)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *args: object) -> None:
        """Say nothing: the log is what a test looks at."""


def main(behaviour: str) -> None:
    sys.stderr.write("fake: loading\n")
    if behaviour == "broken":
        sys.exit("fake: cannot load the model")
    if behaviour == "silent":
        time.sleep(60)
    if behaviour == "rubbish":
        print("hello", flush=True)
        time.sleep(60)
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_address[1]}/{os.getpid()}/v1"
    print(json.dumps({"base_url": url, "key": KEY}), flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "")
