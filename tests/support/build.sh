#!/bin/sh
# Builds dist/: one entry per program, shared code split off, packages loaded only when needed.
# Made beside and moved: whoever runs the old one meanwhile loses nothing for long.
set -eu
cd "$(dirname "$0")/../.."
entries="src/ckpt-run.ts src/ckpt.ts src/keep-work.ts src/start.ts src/practice/practice.ts"
[ -f tests/bench/bench.ts ] && entries="$entries tests/bench/bench.ts"
rm -rf dist.new
# shellcheck disable=SC2086
node_modules/.bin/esbuild $entries --bundle --splitting --format=esm --platform=node --target=node20.19 \
  --outdir=dist.new --entry-names='[name]' --chunk-names='chunks/[name]-[hash]' \
  --external:node-pty --external:fs-native-extensions --log-level=warning \
  --banner:js="import{createRequire as __cr}from'node:module';const require=__cr(import.meta.url);"
chmod +x dist.new/ckpt-run.js dist.new/ckpt.js dist.new/practice.js
rm -rf dist
mv dist.new dist
