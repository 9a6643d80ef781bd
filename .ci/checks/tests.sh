#!/usr/bin/env bash
# Every test of the solution, by the README's command; its totals are counted. Arguments are passed on to it.
set -u
. "$(dirname "$0")/../lib.sh"
# One compiler for all projects: its start takes longer than most of them.
export UseSharedCompilation=true
dotnet test Dns.sln -c Release "$@" 2>&1 | tee "$work/tests.log" | grep -avE '^(Test run for|VSTest version|A total of|Starting test|  .* -> )'
status=${PIPESTATUS[0]}
total() { sed -nE "s/^(Passed|Failed|Skipped)! +- .*\b$1: +([0-9]+).*/\2/p" "$work/tests.log" | awk "{ n += \$1 } END { print n + 0 }"; }
passed=$(total Passed) failed=$(total Failed) skipped=$(total Skipped)
[ "$status" -eq 0 ] || [ "$failed" -gt 0 ] || fail "dotnet test Dns.sln -c Release ended with $status"
[ "$((passed + failed))" -gt 0 ] || fail "no test ran"
while read -r line; do fail "$line"; done < <(grep -a '^No test is available in' "$work/tests.log" | sed -E 's/ Make sure.*//; s/([^ ]*\/)//g')
finish
