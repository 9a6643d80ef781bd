#!/usr/bin/env bash
# A new user's first minute: the README's first command serves the example zones, and stops cleanly when told to.
# The README's second command is tests.sh.
set -u
. "$(dirname "$0")/../lib.sh"
for command in 'dotnet run -c Release --project src/Dns.Server' 'dotnet test Dns.sln -c Release'; do
  if grep -qxF "$command" README.md; then pass "the README shows: $command"; else fail "the README does not show: $command"; fi
done
if "$ask" --wait 0.3 127.0.0.1:5335 example.com SOA >/dev/null; then
  skip "the README's server: port 5335 is in use by another program"
  finish
fi
start "$work/run.log" dotnet run -c Release --project src/Dns.Server
server=$last
if answer=$("$ask" --wait 300 --pid "$server" --until NOERROR 127.0.0.1:5335 example.com SOA); then
  pass "UDP 127.0.0.1:5335 example.com SOA: $answer"
else
  cat "$work/run.log"
  fail "UDP 127.0.0.1:5335 example.com SOA: $answer"
  finish
fi
expect() { # name type options: what it says
  local want=$1 got
  shift
  got=$("$ask" "$@")
  if [ "$got" = "$want" ]; then pass "ask $*: $got"; else fail "ask $*: '$got', expected '$want'"; fi
}
expect 'NOERROR answers=1' --tcp 127.0.0.1:5335 example.com SOA
expect 'NXDOMAIN answers=0' 127.0.0.1:5335 there-is-no-such-name.example.com A
expect 'REFUSED answers=0' 127.0.0.1:5335 not-served.test A
check_command "dnsd query answers for itself" dnsd query example.com SOA @127.0.0.1:5335
kill -TERM "$server"
for _ in $(seq 100); do kill -0 "$server" 2>/dev/null || break; sleep 0.1; done
if kill -0 "$server" 2>/dev/null; then
  fail "SIGTERM does not stop the server within 10 s"
elif wait "$server"; then
  pass "SIGTERM stops it with exit code 0"
else
  tail -n 5 "$work/run.log"
  fail "SIGTERM stops it with exit code $?"
fi
finish
