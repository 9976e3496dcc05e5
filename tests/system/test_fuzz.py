"""A few thousand fuzzed requests; `make fuzz-http` sends more."""

import os
import sys

from system_daemon import SANITIZER, Daemon, say

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "fuzz"))
import fuzz_http  # noqa: E402  pylint: disable=wrong-import-position

REQUESTS = 2000 if SANITIZER else 4000
SEED = 5


def test_fuzzed_requests_are_survived():
    with Daemon(**fuzz_http.OPTIONS) as daemon:
        fuzz = fuzz_http.Fuzz(daemon, REQUESTS, SEED)
        fuzz.run()
        say(f"{fuzz.counts['requests']} requests, {fuzz.counts['requests'] / fuzz.seconds:.0f}/s")
        assert not fuzz.problems, fuzz.problems
        assert fuzz.counts["status_202"] > 0 and fuzz.counts["status_422"] > 0, fuzz.counts
