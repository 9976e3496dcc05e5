#!/bin/sh
# setup.sh FOLDER - what the tests of the web page need: node, npm and chromium, from apt if that may
# be done; playwright-core and axe-core from npm into FOLDER, as package-lock.json says. Does nothing
# that has been done before.
set -eu

folder=$1
here=$(cd "$(dirname "$0")" && pwd)

# By command and not by package: node may come from elsewhere, and bring npm along.
missing=
command -v node >/dev/null 2>&1 || missing="$missing nodejs"
command -v npm >/dev/null 2>&1 || missing="$missing npm"
command -v "${CHROMIUM:-chromium}" >/dev/null 2>&1 || missing="$missing chromium"
# shellcheck disable=SC2086 # a list of package names
[ -z "$missing" ] || sh "$here/../tools/install_deps.sh" $missing

mkdir -p "$folder"
cp "$here/package.json" "$here/package-lock.json" "$here/.npmrc" "$folder/"
cd "$folder"
if ! cmp -s package-lock.json node_modules/.lock-installed; then
    npm ci --no-progress --loglevel=error
    cp package-lock.json node_modules/.lock-installed
fi
