#!/bin/sh
# The tour of `make demo`: no key, no network, nothing written outside a temporary folder.
# BIN is the folder of the `scaffold` command.
set -eu
cd "$(dirname "$0")/.."
scaffold="$(cd "$BIN" && pwd)/scaffold"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
cp -R examples/support-reply "$work/support-reply"

say() { printf '\n\033[1m%s\033[0m\n' "$*"; }
step() { say "\$ scaffold $*"; "$scaffold" "$@"; }

say "1. Scaffold a test suite for a prompt, and check it"
mkdir "$work/new-project" "$work/new-project/.omniscitus"
cd "$work/new-project"
step add-prompt greeting --no-input
step validate greeting

say "2. Judge a suite: a support-reply prompt with recorded outputs, and answers that a language model wrote"
cd "$work/support-reply"
step validate
code=0
step run --quiet || code=$?
if [ "$code" -ne 1 ]; then
    echo "The demo expected exit code 1 (some outputs are bad on purpose), not $code." >&2
    exit 1
fi
say "Exit code 1: the bad outputs were caught."

say "3. Look at one that failed"
step show where-is-my-order

say "4. To let a real judge do the same: set OPENAI_API_KEY, and in examples/support-reply run"
echo "scaffold run support-reply --judge gpt-4o"
