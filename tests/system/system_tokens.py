"""Tokens for tests: made by the tool, kept in a token-file beside a daemon's state."""

import json
import os
import shutil
import signal
import subprocess

from system_daemon import PROGRAM, Daemon, command, new_folder, wait_until

TOOL = os.path.join(os.path.dirname(PROGRAM), "cyclosolve")


def new_token(name, *arguments):
    """{"token", "line"} as `cyclosolve token new --json` prints it."""
    done = subprocess.run([*command()[:-1], TOOL, "token", "new", name, "--json", *arguments],
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


class Guarded:
    """A daemon with a token-file. `people`: {name: arguments of `token new`}."""

    def __init__(self, people, **options):
        self.folder = new_folder()
        self.tokens, self.lines = {}, {}
        for name, arguments in people.items():
            self.add(name, *arguments)
        self.path = os.path.join(self.folder, "tokens")
        self.write()
        self.daemon = Daemon(self.folder, token_file=self.path, **options)

    def add(self, name, *arguments):
        made = new_token(name, *arguments)
        self.tokens[name], self.lines[name] = made["token"], made["line"]

    def write(self, text=None):
        """Replaces the file as a whole."""
        with open(self.path + ".new", "w", encoding="utf-8") as file:
            file.write("\n".join(["# who", *self.lines.values(), ""]) if text is None else text)
        os.chmod(self.path + ".new", 0o600)
        os.rename(self.path + ".new", self.path)

    def hang_up(self, says):
        """SIGHUP; waits for a line of the log that was not there before."""
        before = self.daemon.log_text().count(says)
        self.daemon.process.send_signal(signal.SIGHUP)
        wait_until(lambda: self.daemon.log_text().count(says) > before, f"'{says}' in the log")

    def field(self, name):
        return {"Authorization": f"Bearer {self.tokens[name]}"}

    def get(self, path, name):
        return self.daemon.request("GET", path, headers=self.field(name))

    def post(self, path, body, name, **fields):
        return self.daemon.request("POST", path, body, {**self.field(name), **fields})

    def __enter__(self):
        return self

    def __exit__(self, *error):
        try:
            self.daemon.__exit__(*error)
        finally:
            shutil.rmtree(self.folder, ignore_errors=True)
