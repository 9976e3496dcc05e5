#!/usr/bin/env python3
"""Parsers under libFuzzer, one after the other.

    fuzz.py --programs=FOLDER [--seconds=60] [--seed=N] [--report=FILE] [--keep=64] TARGET...

Starts from the corpus of the repository, tests/fuzz/corpus/TARGET, and what earlier runs have found,
build/fuzz/corpus/TARGET. An input that ends the program is kept in build/fuzz, and reproduced by
`build/.../fuzz_TARGET FILE`. With --keep the repository's corpus is made anew: inputs that add
coverage, those that are there already first, at most so many; files that a person has named stay.

The last line reads "N passed, N failed", by target; the report has the raw counts.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests", "fuzz"))
import fuzz_report  # noqa: E402  pylint: disable=wrong-import-position

CORPUS = os.path.join(ROOT, "tests", "fuzz", "corpus")
WORK = os.path.join(ROOT, "build", "fuzz")
INPUT_BYTES = 4096
HASH_DIGITS = 12
HASH = re.compile(r"[0-9a-f]{12}")
PATIENCE_SECONDS = 20  # for one input
COVERAGE = re.compile(r"cov: (\d+) ft: (\d+) corp: (\d+)")


class Target:
    def __init__(self, name, args):
        self.name = name
        self.args = args
        self.program = os.path.join(args.programs, f"fuzz_{name}_driven")
        self.corpus = os.path.join(CORPUS, name)
        self.found = os.path.join(WORK, "corpus", name)
        for folder in (self.corpus, self.found):
            os.makedirs(folder, exist_ok=True)

    def command(self, *options):
        return ["nice", self.program, *options, f"-max_len={INPUT_BYTES}",
                f"-artifact_prefix={WORK}/{self.name}-", f"-timeout={PATIENCE_SECONDS}"]

    def run(self):
        """The numbers of a run; `findings` are files with inputs."""
        before = set(os.listdir(WORK))
        start = time.monotonic()
        done = subprocess.run(
            [*self.command(f"-max_total_time={self.args.seconds:.0f}", f"-seed={self.args.seed}",
                           "-print_final_stats=1"), self.found, self.corpus],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True, errors="replace", check=False)
        findings = sorted(name for name in set(os.listdir(WORK)) - before
                          if name.startswith(self.name + "-"))
        if done.returncode != 0 and not findings:
            findings = [f"exit status {done.returncode}"]
        if findings:
            print(done.stdout[-6000:], flush=True)
        executed = re.search(r"stat::number_of_executed_units:\s*(\d+)", done.stdout)
        coverage = COVERAGE.findall(done.stdout)
        edges, features, inputs = map(int, coverage[-1] if coverage else (0, 0, 0))
        return {"seconds": round(time.monotonic() - start, 1),
                "executions": int(executed[1]) if executed else 0,
                "coverage_edges": edges, "coverage_features": features, "corpus_inputs": inputs,
                "findings": findings}

    def keep(self, most):
        """Makes the repository's corpus anew from it and from what was found."""
        with tempfile.TemporaryDirectory(dir=WORK) as merged:
            subprocess.run([*self.command("-merge=1"), merged, self.corpus, self.found],
                           stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL, check=True)
            known = set(os.listdir(self.corpus))
            names = sorted(os.listdir(merged), key=lambda n: (os.path.getsize(f"{merged}/{n}"), n))
            old = [n for n in names if n[:HASH_DIGITS] in known]
            new = [n for n in names if n[:HASH_DIGITS] not in known]
            room = min(max(most - len(old), 0), len(new))
            chosen = old[:most] + [new[i * len(new) // room] for i in range(room)]
            for name in known:
                if HASH.fullmatch(name):
                    os.unlink(f"{self.corpus}/{name}")
            for name in chosen:
                shutil.copyfile(f"{merged}/{name}", f"{self.corpus}/{name[:HASH_DIGITS]}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--programs", required=True)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=0, help="0: of the clock")
    parser.add_argument("--keep", type=int, default=0)
    parser.add_argument("--report", default=os.path.join(WORK, "fuzz.json"))
    parser.add_argument("target", nargs="+")
    args = parser.parse_args()
    args.seed = args.seed or time.time_ns() % 1000000007 + 1
    os.makedirs(WORK, exist_ok=True)
    results = {}
    for name in args.target:
        target = Target(name, args)
        result = results[name] = target.run()
        print(f"  {'FAIL' if result['findings'] else 'ok':4s} {name:12s} "
              f"{result['executions']:9d} executions {result['coverage_edges']:6d} edges "
              f"{result['seconds']:7.1f} s  {' '.join(result['findings'])}", flush=True)
        if args.keep:
            target.keep(args.keep)
    failed = sum(bool(result["findings"]) for result in results.values())
    fuzz_report.write(args.report, args.seed, {
        "seconds_each": args.seconds, "targets": results,
        "executions": sum(result["executions"] for result in results.values())})
    print(f"{len(results) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
