"""The floor: the same requests by the bare OpenAI client in a thread pool, and nothing else.

python benchmarks/floor.py BASE_URL CALLS CONCURRENCY < request.json
"""

import json
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx2
import openai


def main(base_url: str, calls: int, concurrency: int, request: dict[str, Any]) -> None:
    limits = httpx2.Limits(max_connections=concurrency, max_keepalive_connections=concurrency)
    client = openai.OpenAI(
        api_key="none",
        base_url=base_url,
        max_retries=0,
        http_client=openai.DefaultHttpxClient(limits=limits),
    )

    def call(_: int) -> Any:
        return client.chat.completions.create(**request).choices[0].message.content

    with ThreadPoolExecutor(concurrency) as pool:
        texts = list(pool.map(call, range(calls)))
    assert len(texts) == calls
    assert all(texts)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), json.load(sys.stdin))
