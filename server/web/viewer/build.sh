#!/bin/sh
# build.sh OUT - bundles the viewer of the web page into the folder OUT: cubing's twisty-player as
# modules that load each other on demand, their names made of their content. What to install is
# fixed by package-lock.json. Needs node, npm and, the first time, the package registry.
set -eu

out=$1
here=$(cd "$(dirname "$0")" && pwd)
work=$out.npm

for tool in node npm; do
    command -v $tool >/dev/null 2>&1 || {
        echo "web-viewer: there is no $tool; apt-get install nodejs npm" >&2
        exit 1
    }
done
mkdir -p "$work"
cp "$here/package.json" "$here/package-lock.json" "$here/.npmrc" "$here/viewer.js" "$work/"
cd "$work"
if ! cmp -s package-lock.json node_modules/.lock-installed; then
    npm ci --no-progress --loglevel=error
    cp package-lock.json node_modules/.lock-installed
fi
rm -rf bundle
node_modules/.bin/esbuild viewer.js --bundle --splitting --format=esm --minify --target=es2022 \
    --legal-comments=eof --log-level=warning --outdir=bundle \
    --entry-names='[name]-[hash]' --chunk-names='[name]-[hash]'
cd - >/dev/null
rm -rf "$out"
mv "$work/bundle" "$out"
echo "web-viewer: $(ls "$out" | wc -l) files, $(cat "$out"/* | wc -c) bytes"
