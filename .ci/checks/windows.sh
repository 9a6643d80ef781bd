#!/usr/bin/env bash
# The program for Windows, self-contained, run by wine with a prefix of its own: from a console and as a service.
set -u
. "$(dirname "$0")/../lib.sh"
for wine in wine64 wine; do has "$wine" && break; done
has "$wine" || { skip "windows: wine is not installed"; finish; }
export WINEPREFIX=$work/prefix WINEARCH=win64 WINEDEBUG=-all
timeout 120 "$wine" wineboot -i >"$work/wineboot.log" 2>&1 || { tail -n 3 "$work/wineboot.log"; skip "windows: wine has no prefix here"; finish; }
cleanups+=('timeout 20 wineserver -k >/dev/null 2>&1')
check_command "dotnet publish for win-x64" dotnet publish src/Dns.Server -c Release -r win-x64 --self-contained \
  --artifacts-path "$work/build" -p:RunAnalyzers=false -o "$work/prefix/drive_c/dnsd" -nologo -v quiet || finish
dnsd_exe="$work/prefix/drive_c/dnsd/dnsd.exe"
expect() { # WANTED ask's arguments
  local want=$1 got
  shift
  got=$("$ask" --wait 60 --until "${want%% *}" "$@")
  if [ "$got" = "$want" ]; then pass "ask $*: $got"; else fail "ask $*: '$got', expected '$want'"; fi
}
check_command "dnsd --version" timeout 60 "$wine" "$dnsd_exe" --version

# From a console.
port=$(free_port)
start "$work/console.log" "$wine" "$dnsd_exe" run --listen "127.0.0.1:$port"
console=$last
expect 'NOERROR answers=1' "127.0.0.1:$port" www.example.com A
expect 'NOERROR answers=1' --tcp "127.0.0.1:$port" www.example.com A
expect 'NXDOMAIN answers=0' "127.0.0.1:$port" none.example.com A
check_command "dnsd query asks it" timeout 60 "$wine" "$dnsd_exe" query www.example.com A "@127.0.0.1:$port"
[ "$failed" -eq 0 ] || tail -n 20 "$work/console.log"

# As a service: our own verbs and those of the system. The server from the console stays: once the last program that is no
# service has ended, wine ends the services too, and the next program starts them with the system.
port=$(free_port)
mkdir -p "$work/prefix/drive_c/settings/zones"
cat >"$work/prefix/drive_c/settings/dnsd.json" <<JSON
{ "Dns": { "Listen": [ "127.0.0.1:$port" ], "Zones": [ { "Directory": "zones" } ] },
  "Serilog": { "WriteTo": [ { "Name": "File", "Args": { "path": "dnsd.log" } } ] } }
JSON
printf '@ 60 SOA ns h 1 2 3 4 5\n@ 60 NS ns\nns 60 A 192.0.2.1\n' >"$work/prefix/drive_c/settings/zones/service.example.zone"
service() { timeout 60 "$wine" "$dnsd_exe" service "$@"; }
if service status >"$work/command.log" 2>&1; then fail "a service is there before it is installed"; else pass "status: $(tr -d '\r' <"$work/command.log" | head -n 1)"; fi
check_command "service install" service install --config 'C:\settings\dnsd.json'
expect 'NOERROR answers=1' "127.0.0.1:$port" ns.service.example A
expect 'NOERROR answers=1' --tcp "127.0.0.1:$port" ns.service.example A
check_command "service status" service status
if service install --config 'C:\settings\dnsd.json' >"$work/command.log" 2>&1; then fail "a second service install"; else pass "a second install: $(tr -d '\r' <"$work/command.log" | head -n 1)"; fi
check_command "net stop dnsd" timeout 60 "$wine" net stop dnsd
if "$ask" --wait 1 "127.0.0.1:$port" ns.service.example A >/dev/null; then fail "it answers after net stop"; else pass "net stop stops it"; fi
if grep -q 'Stopped' "$work/prefix/drive_c/settings/dnsd.log"; then pass "it stopped in order: its log says so"; else fail "no sign of the stop in its log"; fi
check_command "net start dnsd" timeout 60 "$wine" net start dnsd
expect 'NOERROR answers=1' "127.0.0.1:$port" ns.service.example A
check_command "service uninstall" service uninstall
if "$ask" --wait 1 "127.0.0.1:$port" ns.service.example A >/dev/null; then fail "it answers after uninstall"; else pass "uninstall stops it"; fi
if service status >"$work/command.log" 2>&1; then fail "the service is there after uninstall"; else pass "status: $(tr -d '\r' <"$work/command.log" | head -n 1)"; fi
end_process "$console"
[ "$failed" -eq 0 ] || tail -n 20 "$work/prefix/drive_c/settings/dnsd.log"
finish
