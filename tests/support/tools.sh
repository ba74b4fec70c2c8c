#!/bin/sh
# Programs that the tests look at through ckpt-run. Installed where that can be done, else named.
set -eu
missing=
for tool in git perl vim less; do command -v "$tool" >/dev/null || missing="$missing $tool"; done
[ -z "$missing" ] && exit 0
if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
  echo "The tests need these programs; please install them:$missing" >&2
  exit 1
fi
apt-get update -qq
# shellcheck disable=SC2086
apt-get install -y -qq $missing >/dev/null
