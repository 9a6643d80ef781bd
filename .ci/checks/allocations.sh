#!/usr/bin/env bash
# Bytes allocated for an operation, against the figures in dnsbench/allocations.json.
set -u
. "$(dirname "$0")/../lib.sh"
check_command "dnsbench allocations" dotnet run -c Release --project dnsbench -- allocations --check
finish
