#!/bin/sh
# Installs the Debian packages that are named and missing; says what it does.
set -eu
missing=
for package in "$@"; do
  dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing="$missing $package"
done
[ -n "$missing" ] || exit 0
if ! command -v apt-get >/dev/null; then
  echo "missing packages (Debian names):$missing; install them and try again" >&2
  exit 1
fi
run=
if [ "$(id -u)" != 0 ]; then
  command -v sudo >/dev/null || { echo "missing packages:$missing; install them as root: apt-get install$missing" >&2; exit 1; }
  run=sudo
fi
echo "installing missing packages with $run apt-get:$missing"
export DEBIAN_FRONTEND=noninteractive
# The lists may be absent or old; a name that is not found then is asked for again.
# shellcheck disable=SC2086
$run apt-get install -y -q --no-install-recommends $missing >/dev/null 2>&1 || {
  $run apt-get update -q >/dev/null
  $run apt-get install -y -q --no-install-recommends $missing >/dev/null
}
