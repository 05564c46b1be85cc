#!/bin/sh
# Puts the tools that check pages into a folder of their own: tools.sh FOLDER
# Says what is missing and goes on: each check that lacks its tool is skipped.
set -u
folder=$1
here=$(dirname "$0")
stamp=$folder/requirements.txt
if [ -x "$folder/bin/python" ] && cmp -s "$here/requirements.txt" "$stamp"; then exit 0; fi
echo "installing the tools that check pages into $folder"
if python3 -m venv "$folder" && "$folder/bin/pip" install -q --disable-pip-version-check \
    -r "$here/requirements.txt"; then
  cp "$here/requirements.txt" "$stamp"
else
  echo "not all of them can be had here"
fi
