#!/bin/sh
# Walls and habits that neither the compiler nor the formatter checks.
set -u
bad=0
say() { echo "lint: $1" >&2; bad=1; }

# A C library is imported by one file.
for wall in CCmark CArena CYAML CXXHash CUTF8Proc CSQLite CBrotli CZlib CMicroHTTPD; do
  count=$(grep -rlE "^(internal |private |package )?import $wall\$" Sources --include='*.swift' | wc -l)
  [ "$count" = 1 ] || say "$wall is imported by $count files of Sources, expected 1"
done
check() { # pattern, where, why
  found=$(grep -rnE "$1" $2 --include='*.swift' 2>/dev/null | grep -vE '^[^:]*:[0-9]+: *//' || true)
  [ -z "$found" ] || { say "$3"; echo "$found" >&2; }
}
check '^ *public ' 'Sources' 'public: nothing outside this package uses these targets'
check 'try!|as!' 'Sources' 'try! and as! trap on input'
check '@unchecked Sendable|nonisolated\(unsafe\)' 'Sources' 'Sendable is meant to be checked'
check '\bDate\(\)|clock_gettime|getenv|getcwd|sysconf' 'Sources/Bytes Sources/Diagnostics Sources/YAML Sources/Markup Sources/Templating Sources/Tracking Sources/Watching Sources/Notes Sources/Publishing Sources/Preview' 'the surroundings are read in Commands only'
check '^import Foundation' 'Sources/Bytes Sources/Diagnostics Sources/YAML Sources/Markup Sources/Templating Sources/Tracking Sources/Watching Sources/Notes Sources/Publishing Sources/Preview Sources/Commands Sources/daybook' 'Foundation costs every start'
check '(^|[^8])\.drop(First|Last)\([^()]*utf8\.count' 'Sources Tests' 'bytes are counted and characters cut off: FilePath.relative, or cut from .utf8'
check '\.dropFirst\([A-Za-z.]+\.count \+ 1\)' 'Sources/Bytes Sources/Diagnostics Sources/Watching Sources/Notes Sources/Publishing Sources/Preview Sources/Commands Sources/daybook' 'a path as seen from a folder is FilePath.relative'
exit $bad
