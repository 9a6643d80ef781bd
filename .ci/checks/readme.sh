#!/usr/bin/env bash
# A new user's first minute: the README's first command serves the example zones, its program asks that server and serves another zone
# beside it, and both stop cleanly when told to. The README's command for all tests is tests.sh.
set -u
. "$(dirname "$0")/../lib.sh"
publish='dotnet publish src/Dns.Server -c Release -o out'
question='out/dnsd query www.example.com'
own='out/dnsd run --listen 127.0.0.1:5300 --zone example.net=my.zone'
own_question='out/dnsd query example.net SOA @127.0.0.1:5300'
for command in 'dotnet run -c Release --project src/Dns.Server' 'dotnet test Dns.sln -c Release' \
  "$publish" "$question" "$own" "$own_question"; do
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
# The program itself, in a folder of its own; it finds the one server that runs.
# shellcheck disable=SC2086
check_command "$publish" ${publish%out}"$work/out"
cd "$work" || exit 1
says() { # COMMAND TEXT: what it prints has a text
  # shellcheck disable=SC2086
  if $1 >command.log 2>&1 && grep -qF "$2" command.log; then pass "$1: $2"
  elif grep -qF 'several servers run here' command.log; then skip "$1: other servers run on this machine"
  else cat command.log; fail "$1"; fi
}
says "$question" 'SERVER: 127.0.0.1:5335'
if "$ask" --wait 0.3 127.0.0.1:5300 example.net SOA >/dev/null; then
  skip "$own: port 5300 is in use by another program"
else
  printf '@ 60 SOA ns h 1 2 3 4 5\n@ 60 NS ns\nns 60 A 192.0.2.1\n' >my.zone
  # shellcheck disable=SC2086
  start "$work/own.log" $own
  if answer=$("$ask" --wait 60 --pid "$last" --until NOERROR 127.0.0.1:5300 example.net SOA); then pass "$own: $answer"; else cat own.log; fail "$own: $answer"; fi
  says "$own_question" 'status: NOERROR'
  if grep -q 'D708' own.log; then pass "beside another server it warns that it has no status page"; else cat own.log; fail "no warning about the status page"; fi
  end_process "$last"
fi
cd "$root" || exit 1
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
