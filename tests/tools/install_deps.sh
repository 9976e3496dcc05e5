#!/bin/sh
# Installs the Debian packages named as arguments when they are missing and this may be done (root
# and apt-get); otherwise says exactly what to install and fails.
set -eu

missing=
for package in "$@"; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' ||
        missing="$missing $package"
done
if [ -z "$missing" ]; then
    echo "all packages are there"
    exit 0
fi
if ! command -v apt-get >/dev/null 2>&1; then
    echo "missing (names as in Debian 12):$missing" >&2
    echo "there is no apt-get here: install the equivalents with your package manager" >&2
    exit 1
fi
if [ "$(id -u)" -ne 0 ]; then
    echo "missing:$missing" >&2
    echo "run: sudo apt-get update && sudo apt-get install -y --no-install-recommends$missing" >&2
    exit 1
fi
echo "installing:$missing"
export DEBIAN_FRONTEND=noninteractive
apt-get update -q </dev/null
# shellcheck disable=SC2086 # a list of package names
apt-get install -q -y --no-install-recommends $missing </dev/null
