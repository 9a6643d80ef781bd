#!/usr/bin/env bash
# System calls for a query, counted by strace, of the batched listener against the portable one: the same server, questions and clients.
# Counts and never times; what another machine changes is how full the batches are, so only the order of the two is judged.
set -u
. "$(dirname "$0")/../lib.sh"
[ "$(uname -s)" = Linux ] || { skip "syscalls: the batched listener needs Linux"; finish; }
has strace || { skip "syscalls: strace is not installed"; finish; }
strace -f -c -o "$work/try" true 2>/dev/null || { skip "syscalls: strace may not trace here"; finish; }
need_dnsd
check_command "dnsbench builds" dotnet build dnsbench -c Release || finish
printf '%s\n' "example.com SOA" "www.example.com A" "nothing.example.com A" >"$work/queries"

# calls LISTENER: sets $calls and $answered; the calls are those of sockets, of waiting for them and of waking threads
calls() {
  local port tracer
  port=$(free_port)
  cat >"$work/$1.json" <<JSON
{ "Dns": { "Listen": ["127.0.0.1:$port"], "Workers": 1, "Udp": { "Listener": "$1" },
  "Zones": [ { "Name": "example.com", "File": "$root/zones/example.com.zone" } ] }, "Serilog": { "MinimumLevel": "Warning" } }
JSON
  start "$work/$1.log" dotnet "$dnsd_dll" run --config "$work/$1.json"
  local server=$last
  "$ask" --wait 60 --pid "$server" --until NOERROR "127.0.0.1:$port" example.com SOA >/dev/null || { tail -n 20 "$work/$1.log"; return 1; }
  start "$work/$1.trace" strace -f -c -o "$work/$1.counts" -p "$server" \
    -e trace=recvmmsg,sendmmsg,recvmsg,sendmsg,recvfrom,sendto,epoll_wait,epoll_pwait,poll,ppoll,futex
  tracer=$last
  for _ in $(seq 100); do grep -q attached "$work/$1.trace" && break; sleep 0.1; done
  dotnet run -c Release --no-build --project dnsbench -- load --server "127.0.0.1:$port" --queries "$work/queries" \
    --sockets 16 --window 4 --seconds 3 --timeout 5000 >"$work/$1.load" 2>&1
  kill -INT "$tracer"
  for _ in $(seq 100); do kill -0 "$tracer" 2>/dev/null || break; sleep 0.1; done
  end_process "$server"
  calls=$(awk '$1 ~ /^[0-9.]+$/ && $NF != "total" { n += $4 } END { print n + 0 }' "$work/$1.counts")
  answered=$(awk '$1 == "answered" { print $2 }' "$work/$1.load")
  cat "$work/$1.counts"
  [ "${calls:-0}" -gt 0 ] && [ "${answered:-0}" -gt 1000 ]
}

calls portable || { fail "syscalls: the portable listener was not measured"; finish; }
portable_calls=$calls portable_answered=$answered
calls batched || { fail "syscalls: the batched listener was not measured"; finish; }
portable=$(awk "BEGIN { printf \"%.3f\", $portable_calls / $portable_answered }")
batched=$(awk "BEGIN { printf \"%.3f\", $calls / $answered }")
name="batched beats portable in system calls for a query: $batched against $portable"
if awk "BEGIN { exit !($batched < $portable) }"; then pass "$name"; else fail "$name"; fi
finish
