#!/usr/bin/env python3
"""Turns the web page into C data.

    build.py OUT.c [VIEWER_DIR]

Every file is served as /assets/NAME-DIGEST.EXT, so that browsers may keep it for ever; references to
it are rewritten: `./x.js` in the imports of modules, `/assets/x.css` in the page. The page itself
is the asset "". Files of the viewer, whose names carry digests already, are taken as they are; the
page learns the name of its entry. Output depends on the sources alone.
"""

import gzip
import hashlib
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
IMPORT = re.compile(r'((?:\bfrom|\bimport)\s*\(?\s*")\./([\w.-]+)(")')
ASSET = re.compile(r'(["(])/assets/([\w.-]+)([")])')
MAX_NAME = 63  # bytes of a captured path segment, proto_route.h


def digest(data):
    return hashlib.sha256(data).hexdigest()[:12]


def read(path):
    with open(path, "rb") as file:
        return file.read()


class Page:
    """The sources, and the assets made of them so far."""

    def __init__(self, viewer_dir):
        self.sources = {name: read(os.path.join(HERE, name)) for name in sorted(os.listdir(HERE))
                        if os.path.splitext(name)[1] in TYPES}
        self.assets = {}  # final name: data
        self.names = {}   # source name: final name
        self.making = []
        self.viewer = ""
        if viewer_dir and os.path.isdir(viewer_dir):
            self.add_viewer(viewer_dir)

    def add_viewer(self, folder):
        for name in sorted(os.listdir(folder)):
            if name.endswith(".js"):
                self.assets[name] = read(os.path.join(folder, name))
                if re.fullmatch(r"viewer-\w+\.js", name):
                    self.viewer = name

    def final_name(self, source):
        """Makes the asset if need be: what it refers to comes first, since digests build on it."""
        if source in self.names:
            return self.names[source]
        if source not in self.sources:
            raise SystemExit(f"server/web: {' -> '.join(self.making)} wants {source}: no such file")
        if source in self.making:
            raise SystemExit(f"server/web: {' -> '.join(self.making + [source])} is a circle")
        self.making.append(source)
        data = self.rewrite(source)
        stem, extension = os.path.splitext(source)
        name = f"{stem}-{digest(data)}{extension}"
        self.making.pop()
        self.assets[name] = data
        self.names[source] = name
        return name

    def rewrite(self, source):
        text = self.sources[source].decode()
        if source.endswith(".js"):
            text = IMPORT.sub(lambda m: f"{m[1]}./{self.final_name(m[2])}{m[3]}", text)
        text = ASSET.sub(lambda m: f"{m[1]}/assets/{self.final_name(m[2])}{m[3]}", text)
        return text.encode()

    def page(self):
        """index.html; modules are announced at its head, so that they load side by side."""
        text = self.rewrite("index.html").decode()
        modules = [self.names[s] for s in sorted(self.names) if s.endswith(".js")]
        links = "\n".join(f'<link rel="modulepreload" href="/assets/{name}">' for name in modules)
        viewer = f"/assets/{self.viewer}" if self.viewer else ""
        return text.replace("<!-- modules -->", links).replace("{{viewer}}", viewer).encode()


# ---- C -------------------------------------------------------------------------------------

ESCAPE = [f"\\{b:03o}" for b in range(256)]
for b in range(32, 127):
    ESCAPE[b] = chr(b)
ESCAPE[ord('"')], ESCAPE[ord("\\")], ESCAPE[ord("?")] = '\\"', "\\\\", "\\?"


def literal(data):
    return "\n".join('    "' + "".join(map(ESCAPE.__getitem__, data[i:i + 4096])) + '"'
                     for i in range(0, len(data), 4096))


def body(data):
    return f"{{\n{literal(data)},\n    {len(data)}}}" if data else '{"", 0}'


def asset(name, data):
    extension = os.path.splitext(name)[1] or ".html"
    packed = gzip.compress(data, 9, mtime=0)
    if len(packed) > 0.9 * len(data):
        packed = b""
    tag = digest(data)
    return (f'    {{"{name}", "{TYPES[extension]}", "\\"{tag}\\"", "\\"{tag}-gz\\"",\n'
            f"    {body(data)},\n    {body(packed)}}},\n")


def main():
    out, viewer_dir = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else ""
    page = Page(viewer_dir)
    assets = {"": page.page(), **page.assets}
    too_long = [name for name in assets if len(name) > MAX_NAME]
    if too_long:
        raise SystemExit(f"server/web: names are too long: {too_long}")
    with open(out + ".new", "w", encoding="ascii") as file:
        file.write("/* Made by server/web/build.py. */\n"
                   '#include "server/server_web.h"\n\n'
                   "const struct server_web_asset server_web_assets[] = {\n")
        file.writelines(asset(name, data) for name, data in assets.items())
        file.write(f"}};\n\nconst size_t server_web_asset_count = {len(assets)};\n")
    os.replace(out + ".new", out)


if __name__ == "__main__":
    main()
