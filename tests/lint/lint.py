#!/usr/bin/env python3
"""The house rules of design and style, as a test.

    lint.py [--root DIR] [--only CHECK[,CHECK]]

Every check prints what breaks and how to mend it. The last line reads "N passed, N failed".
"""

import argparse
import collections
import concurrent.futures
import glob
import os
import re
import shutil
import subprocess
import sys

# ---- the law -------------------------------------------------------------------------------

# Folders of core, lowest layer first; those in one group do not know each other.
CORE_LAYERS = [["base"], ["cpu", "perm", "ans"], ["puzzle"], ["cycle", "canon"], ["cube3"],
               ["sym"], ["table"], ["search"], ["engine"]]

# Which top folder may include which; itself is understood, core has its layers.
MAY_INCLUDE = {
    "core": set(),
    "proto": {"core"},
    "config": {"core/base"},
    "server": {"config", "proto", "core"},
    "tests": {"server", "config", "proto", "core"},
}
TOP_FOLDERS = list(MAY_INCLUDE)
LEVEL = {name: level for level, group in enumerate(CORE_LAYERS, 1) for name in group}

BANNED = {
    "strcpy": "memcpy with a known length, or base_buf_text",
    "strcat": "base_buf_text, or snprintf with the size",
    "sprintf": "snprintf, or base_buf_printf",
    "vsprintf": "vsnprintf",
    "gets": "getline",
    "strtok": "strcspn and strspn",
    "atoi": "a parser that reports errors",
    "atol": "a parser that reports errors",
    "atof": "a parser that reports errors",
    "alloca": "a fixed array or an arena",
    "system": "nothing: no shell is started from C",
    "popen": "nothing: no shell is started from C",
    "rand": "a generator with its own state",
    "srand": "a generator with its own state",
}

MAX_LINES = {".h": 150, ".c": 600}
LENGTH_EXEMPT = re.compile(r"(_(avx2|avx512|avx512vbmi|neon|inl|data)\.[ch])$")

# Symbols that may live in writable memory of core and proto, each with its reason.
GLOBALS_ALLOWED = {
    ("core/base/base_assert.c", "expect_failures"): "the metric of BASE_EXPECT",
}


class Tree:
    """The C files below a root, and the compiler run over them."""

    def __init__(self, root):
        self.root = root
        self.files = sorted(
            os.path.relpath(path, root)
            for top in TOP_FOLDERS
            for pattern in ("*.c", "*.h")
            for path in glob.glob(os.path.join(root, top, "**", pattern), recursive=True))
        self.headers = [f for f in self.files if f.endswith(".h")]
        self.foreign = tuple(f"_{s}{end}" for s in self.make("print-foreign").split()
                             for end in (".c", ".h", "_inl.h"))
        self.base_flags = self.make("print-flags", "FILE=").split()
        self._text = {}
        self._dependencies = None

    def make(self, *arguments):
        """Output of a make goal of this project, whose Makefile also serves trees of tests."""
        done = subprocess.run(["make", "-s", "--no-print-directory", *arguments],
                              cwd=PROJECT, stdout=subprocess.PIPE, text=True, check=True,
                              stdin=subprocess.DEVNULL, env=CLEAN_ENVIRONMENT)
        return done.stdout.strip()

    def is_foreign(self, path):
        """Is the file for another processor architecture?"""
        return path.startswith("core/") and path.endswith(self.foreign)

    def flags(self, path):
        """Compiler flags of one file; only those of instruction sets differ between files."""
        if re.search(r"_(avx\w*|neon)(_inl)?\.[ch]$", path):
            return self.make("print-flags", f"FILE={path}").split()
        return self.base_flags

    def text(self, path):
        if path not in self._text:
            with open(os.path.join(self.root, path), encoding="utf-8") as file:
                self._text[path] = file.read()
        return self._text[path]

    def run(self, command, text=None):
        return subprocess.run(command, cwd=self.root, input=text, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, check=False,
                              stdin=None if text is not None else subprocess.DEVNULL)

    def dependencies(self):
        """{file: set of our files it includes, directly or not}, as the compiler sees it."""
        if self._dependencies is None:
            files = [f for f in self.files if not self.is_foreign(f)]
            self._dependencies = dict(zip(files, in_parallel(self._dependencies_of, files)))
        return self._dependencies

    def _dependencies_of(self, path):
        done = self.run(["gcc", *self.flags(path), "-MM", "-MG", "-MT", "x", "-x", "c", path])
        if done.returncode != 0:
            raise Broken([f"{path}: the compiler cannot read its includes\n{done.stdout}"])
        names = done.stdout.replace("\\\n", " ").split()[1:]
        return {os.path.normpath(n) for n in names} - {path}

    def direct_includes(self, path):
        return [(number, found[1])
                for number, line in enumerate(self.text(path).splitlines(), 1)
                if (found := re.match(r'\s*#\s*include\s*"([^"]+)"', line))]

    def why(self, path, target):
        """The chain of include lines that leads from one file to another, for messages."""
        queue = collections.deque([[(path, 0)]])
        seen = {path}
        while queue:
            chain = queue.popleft()
            for number, name in self.direct_includes(chain[-1][0]):
                name = os.path.normpath(name)
                step = chain[:-1] + [(chain[-1][0], number), (name, 0)]
                if name == target:
                    return " -> ".join(f"{f}:{n}" if n else f for f, n in step)
                if name not in seen and os.path.exists(os.path.join(self.root, name)):
                    seen.add(name)
                    queue.append(step)
        return f"{path} -> {target}"


class Broken(Exception):
    """A check found problems: a list of texts."""


PROJECT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# A make above us must not pass its flags (-n, SANITIZE=...) to the ones we start.
CLEAN_ENVIRONMENT = {k: v for k, v in os.environ.items()
                     if k not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "SANITIZE", "DEBUG", "CC")}


def in_parallel(function, items):
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        return list(pool.map(function, items))


def module_of(path):
    """core/base/base_err.h -> core/base; proto/x.c -> proto; tests/unit/x.c -> tests."""
    parts = path.split("/")
    return "/".join(parts[:2]) if parts[0] == "core" and len(parts) > 2 else parts[0]


# ---- checks: each takes the tree and returns a list of problems -----------------------------

def arrow_fault(source, target):
    """Why module `source` may not include module `target`; None: it may."""
    if source == target:
        return None
    from_top, to_top = source.split("/")[0], target.split("/")[0]
    if from_top == to_top == "core":
        a, b = source.split("/")[1], target.split("/")[1]
        if a not in LEVEL or b not in LEVEL:
            unknown = a if a not in LEVEL else b
            return f"core/{unknown} has no layer; give it one in CORE_LAYERS"
        if LEVEL[b] < LEVEL[a]:
            return None
        relation = "its neighbour" if LEVEL[a] == LEVEL[b] else "above it"
        return f"core/{a} is layer {LEVEL[a]}, core/{b} is layer {LEVEL[b]}, {relation}"
    if from_top == to_top:
        return None
    if {to_top, target} & MAY_INCLUDE[from_top]:
        return None
    allowed = ", ".join(sorted(MAY_INCLUDE[from_top])) or "nothing else of ours"
    return f"{from_top} may include {allowed}"


def check_layers(tree):
    """a module includes only what lies below it"""
    problems, seen = [], set()
    # Headers first, so that a wrong arrow is shown where it is drawn and not at every user.
    for path, found in sorted(tree.dependencies().items(), key=lambda e: (e[0][-1] != "h", e[0])):
        for target in sorted(found):
            arrow = module_of(path), module_of(target)
            fault = arrow_fault(*arrow)
            if fault and arrow not in seen:
                seen.add(arrow)
                problems.append(f"forbidden arrow {arrow[0]} -> {arrow[1]}: {tree.why(path, target)}\n"
                                f"    {fault}; move the shared part down, or pass it in as a "
                                "parameter")
    return problems


def check_circles(tree):
    """no header includes itself through others"""
    problems = []
    graph = tree.dependencies()
    for path in sorted(graph):
        for target in sorted(graph[path]):
            if path < target and path in graph.get(target, ()):
                problems.append(f"circle: {tree.why(path, target)} and back: "
                                f"{tree.why(target, path)}\n    move what both need into a third "
                                "header")
    return problems


def check_private_headers(tree):
    """foo_int.h is included in its own folder only (and by tests)"""
    problems = []
    for path, found in sorted(tree.dependencies().items()):
        for target in sorted(found):
            if (target.endswith("_int.h") and os.path.dirname(path) != os.path.dirname(target)
                    and not path.startswith("tests/")):
                problems.append(f"private header used outside its folder: {tree.why(path, target)}\n"
                                f"    include the contract of {module_of(target)} instead")
    return problems


def check_headers_alone(tree):
    """every header compiles alone, twice, under gcc and clang"""
    def compile_header(job):
        compiler, header = job
        text = f'#include "{header}"\n#include "{header}"\nextern int lint_not_empty;\n'
        done = tree.run([compiler, *tree.flags(header), "-Werror", "-fsyntax-only", "-x", "c", "-"],
                        text)
        if done.returncode == 0:
            return None
        return (f"{header} does not compile alone under {compiler}; include what it uses\n"
                + done.stdout)
    jobs = [(c, h) for c in ("gcc", "clang") for h in tree.headers if not tree.is_foreign(h)]
    return [p for p in in_parallel(compile_header, jobs) if p]


def check_include_form(tree):
    """includes are written from the root, guards are named by the path"""
    problems = []
    for path in tree.files:
        for number, name in tree.direct_includes(path):
            if name.split("/")[0] not in TOP_FOLDERS:
                problems.append(f'{path}:{number}: "{name}" is not written from the root; '
                                "write the whole path")
        guard = re.sub(r"[^A-Z0-9]", "_", path.upper())
        if path.endswith(".h") and not re.search(rf"#ifndef {guard}\n#define {guard}\n",
                                                 tree.text(path)):
            problems.append(f"{path}: the guard must be {guard}")
    return problems


STRING_OR_COMMENT = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)


def bare_code(text):
    """The text with strings and comments blanked, line numbers kept."""
    return STRING_OR_COMMENT.sub(lambda m: re.sub(r"[^\n]", " ", m[0]), text)


def check_banned_calls(tree):
    """no call that the house rules ban"""
    call = re.compile(r"(?<![\w.>])(" + "|".join(BANNED) + r")\s*\(")
    problems = []
    for path in tree.files:
        code = bare_code(tree.text(path))
        for found in call.finditer(code):
            line = code.count("\n", 0, found.start()) + 1
            problems.append(f"{path}:{line}: {found[1]} is banned; use {BANNED[found[1]]}")
    return problems


def check_unfinished(tree):
    """no note about work to do: an issue holds it, or it is done"""
    note = re.compile(r"\b(TODO|FIXME|XXX)\b")
    return [f"{path}:{number}: {found[1]} left in the source; do it, or refuse the case clearly"
            for path in tree.files
            for number, line in enumerate(tree.text(path).splitlines(), 1)
            if (found := note.search(line))]


def check_names(tree):
    """file names are unique in the tree and start with the folder's name"""
    by_name = collections.defaultdict(list)
    problems = []
    for path in tree.files:
        by_name[os.path.basename(path)].append(path)
        folder, stem = module_of(path).split("/")[-1], os.path.splitext(os.path.basename(path))[0]
        if folder != "tests" and stem != folder and not stem.startswith(folder + "_"):
            problems.append(f"{path}: the name must start with {folder}_")
    problems += [f"name used twice: {' and '.join(paths)}; rename one"
                 for paths in by_name.values() if len(paths) > 1]
    return problems


def check_lengths(tree):
    """headers of at most 150 lines, sources of at most 600, kernels and data excepted"""
    problems = []
    for path in tree.files:
        lines, limit = tree.text(path).count("\n"), MAX_LINES[path[-2:]]
        if lines > limit and not LENGTH_EXEMPT.search(path):
            problems.append(f"{path} has {lines} lines, at most {limit}; split it by purpose")
    return problems


def check_format(tree):
    """clang-format has nothing to change"""
    if not tree.files:
        return []
    done = tree.run(["clang-format", "--dry-run", "-Werror", *tree.files])
    paths = sorted(set(re.findall(r"^(\S+?):\d+:\d+: error:", done.stdout, re.M)))
    if done.returncode != 0 and not paths:
        return [done.stdout]
    return [f"{path} is not formatted; run: clang-format -i {path}" for path in paths]


def check_warnings(tree):
    """everything compiles without a warning under gcc and clang"""
    problems = []
    for compiler in ("gcc", "clang"):
        done = subprocess.run(["make", "-s", "-k", "-j2", f"CC={compiler}", "WERROR=1", "objects"],
                              cwd=tree.root, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, check=False, stdin=subprocess.DEVNULL,
                              env=CLEAN_ENVIRONMENT)
        if done.returncode != 0:
            problems.append(f"warnings or errors under {compiler}:\n{done.stdout}")
    return problems


def check_globals(tree):
    """core and proto keep no process-wide state"""
    build = tree.make("CC=gcc", "WERROR=1", "print-build")
    writable = re.compile(r"^\S+ .{7} (\.data(?!\.rel\.ro)\S*|\.bss\S*|\.t(?:data|bss)\S*|\*COM\*)"
                          r"\s+\S+\s+(?:\.hidden )?(\S+)$")
    problems = []
    for path in tree.files:
        stored = os.path.join(build, "obj", path[:-2] + ".o")
        if (not path.startswith(("core/", "proto/")) or not path.endswith(".c")
                or not os.path.exists(os.path.join(tree.root, stored))):
            continue
        for line in tree.run(["objdump", "-t", stored]).stdout.splitlines():
            found = writable.match(line)
            if not found or found[2] == found[1]:
                continue
            symbol = found[2].split(".")[0]
            if (path, symbol) not in GLOBALS_ALLOWED:
                problems.append(f"{path}: {symbol} is mutable and process-wide; make it const, or "
                                "keep it in an object that is passed")
    return problems


TOOLS = ["gcc", "clang", "clang-format", "objdump", "make"]

CHECKS = {
    "layers": check_layers,
    "circles": check_circles,
    "private-headers": check_private_headers,
    "headers-alone": check_headers_alone,
    "include-form": check_include_form,
    "banned-calls": check_banned_calls,
    "unfinished": check_unfinished,
    "names": check_names,
    "lengths": check_lengths,
    "format": check_format,
    "warnings": check_warnings,
    "globals": check_globals,  # reads what check_warnings has built
}


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--root", default=PROJECT)
    parser.add_argument("--only", default=",".join(CHECKS), help="of: " + ", ".join(CHECKS))
    args = parser.parse_args()
    chosen = args.only.split(",")
    for name in chosen:
        if name not in CHECKS:
            parser.error(f"no check is named {name}")
    missing = [tool for tool in TOOLS if not shutil.which(tool)]
    if missing:
        print(f"lint needs {', '.join(missing)}; run `make deps-test`\n0 passed, {len(chosen)} failed")
        return 1
    tree = Tree(os.path.abspath(args.root))
    failed = 0
    for name in chosen:
        try:
            problems = CHECKS[name](tree)
        except Broken as broken:
            problems = broken.args[0]
        failed += bool(problems)
        print(f"  {'FAIL' if problems else 'ok':4s} {name}: {CHECKS[name].__doc__}", flush=True)
        for problem in problems:
            print("    " + problem.rstrip().replace("\n", "\n    "), flush=True)
    print(f"{len(chosen) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
