#!/usr/bin/env bash
# User-space instructions for an operation, against the figures in dnsbench/instructions.json.
set -u
. "$(dirname "$0")/../lib.sh"
timeout 600 dotnet run -c Release --project dnsbench -- instructions --check >"$work/command.log" 2>&1
status=$?
tail -n 40 "$work/command.log"
case $status in
  0) pass "dnsbench instructions" ;;
  3) skip "dnsbench instructions: $(tail -n 1 "$work/command.log")" ;;
  *) fail "dnsbench instructions" ;;
esac
finish
