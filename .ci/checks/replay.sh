#!/usr/bin/env bash
# Recorded answers of other servers: ferret, the signed zones of dnssec, and the root, which needs a server of its own.
set -u
. "$(dirname "$0")/../lib.sh"
replay=$shared/acceptance/replay
if [ ! -f "$replay" ]; then
  skip "ferret: there is no acceptance/replay in the shared folder beside the clone (DNSD_SHARED names another)"
  skip "dnssec: the same"
  skip "rootq: the same"
  finish
fi
has python3 || { skip "replay: python3 is not installed"; finish; }
need_dnsd
python3 "$replay" unpack "$work" || { fail "replay unpack"; finish; }

# serve NAME ZONES: starts a server with the settings that the recorded answers were made with
serve() {
  port=$(free_port)
  cat >"$work/$1.json" <<JSON
{ "Dns": { "Listen": ["127.0.0.1:$port"], "MaxUdpPayload": 4096, "Zones": [ $2 ] }, "Serilog": { "MinimumLevel": "Warning" } }
JSON
  start "$work/$1.log" dotnet "$dnsd_dll" run --config "$work/$1.json"
}

# replayed SUITE: asks it, counts what the tool says
replayed() {
  python3 "$replay" ask --server "127.0.0.1:$port" "$1" >"$work/$1.out"
  local status=$? good bad
  cat "$work/$1.out"
  read -r good bad < <(sed -nE 's/^[a-z-]+: ([0-9]+) passed, ([0-9]+) failed.*/\1 \2/p' "$work/$1.out")
  passed=$((passed + ${good:-0}))
  failed=$((failed + ${bad:-0}))
  if [ -z "${good:-}" ] || { [ "$status" -ne 0 ] && [ "${bad:-0}" -eq 0 ]; }; then fail "$1: replay ended with $status"; fi
}

first=$(basename "$(find "$work/ferret" -name '*.zone' | sort | tail -n 1)" .zone)
serve small "{ \"Directory\": \"$work/ferret\", \"Pattern\": \"*.zone\" }, { \"Directory\": \"$work/dnssec\", \"Pattern\": \"*.zone\" }"
if "$ask" --wait 60 --pid "$last" --until NOERROR "127.0.0.1:$port" "$first" SOA >/dev/null; then
  replayed ferret
  replayed dnssec
else
  tail -n 20 "$work/small.log"
  fail "ferret: the server does not answer for $first"
fi
end_process "$last"

serve root "{ \"Name\": \".\", \"File\": \"$work/root/root.zone\" }"
if "$ask" --wait 60 --pid "$last" --until NOERROR "127.0.0.1:$port" . SOA >/dev/null; then
  replayed rootq
else
  tail -n 20 "$work/root.log"
  fail "rootq: the server does not answer for the root"
fi
finish
