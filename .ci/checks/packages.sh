#!/usr/bin/env bash
# Builds tarball and Debian package, and does with them what an administrator does: unpack and run, install, upgrade, remove, purge.
# The installation has a root of its own: a copy-on-write view of this machine's in a mount namespace, where nothing runs as a service.
set -u
. "$(dirname "$0")/../lib.sh"
for tool in dpkg-deb dpkg unshare gzip python3; do has "$tool" || { skip "packages: $tool is not installed"; finish; }; done
export DNSD_BUILD_FOLDER=${DNSD_BUILD_FOLDER:-$work/build}
check_command "packaging/build.sh" packaging/build.sh --output "$work/first" --version 0.1.0 || finish
tarball=$(echo "$work"/first/*.tar.gz) deb=$(echo "$work"/first/*.deb)

# The tarball: unpacked, it serves its examples without a runtime of the machine.
mkdir "$work/unpacked" && tar -C "$work/unpacked" -xzf "$tarball"
folder=$(echo "$work"/unpacked/dnsd-*)
port=$(free_port)
start "$work/tarball.log" env -i DOTNET_ROOT=/nonexistent PATH=/usr/bin:/bin "$folder/dnsd" run --listen "127.0.0.1:$port" --Dns:Admin:Listen=null
answer=$("$ask" --wait 30 --pid "$last" --until NOERROR "127.0.0.1:$port" www.example.com A)
if [ "$answer" = 'NOERROR answers=1' ]; then pass "the tarball's program answers without a runtime"; else tail "$work/tarball.log"; fail "the tarball: '$answer'"; fi

# What is reached by name only is still there: sinks of the log from settings, the admin port, exports.
port=$(free_port) admin=$(free_port)
cat >"$work/whole.json" <<JSON
{ "Dns": { "Listen": [ "127.0.0.1:$port" ], "Zones": [ { "Directory": "$folder/examples/zones" } ], "Admin": { "Listen": "127.0.0.1:$admin" },
    "Telemetry": { "Otlp": "http://127.0.0.1:9" }, "Control": { "Socket": "$work/whole.sock" },
    "QueryLog": { "File": "$work/queries.log" } },
  "Serilog": { "MinimumLevel": "Information", "WriteTo": [ { "Name": "Console" }, { "Name": "File", "Args": { "path": "$work/file.log",
    "formatter": "Serilog.Formatting.Json.JsonFormatter, Serilog" } } ] } }
JSON
start "$work/whole.log" "$folder/dnsd" run --config "$work/whole.json"
answer=$("$ask" --wait 30 --pid "$last" --until NOERROR "127.0.0.1:$port" www.example.com A)
if [ "$answer" = 'NOERROR answers=1' ]; then pass "the trimmed program answers with sinks, admin port and exports"; else tail "$work/whole.log"; fail "the trimmed program: '$answer'"; fi
for path in / /metrics /api/status /health/ready; do
  check_command "the trimmed program serves $path" python3 -c 'import sys, urllib.request as r; assert r.urlopen(sys.argv[1], timeout=10).read()' "http://127.0.0.1:$admin$path"
done
for command in 'status' 'stats' 'zones' 'zone status example.com' 'why www.example.com' 'reload --dry-run' 'ready'; do
  # shellcheck disable=SC2086
  check_command "the trimmed program answers $command --json" "$folder/dnsd" $command --json --socket "$work/whole.sock"
done
end_process "$last"
if grep -q '"MessageTemplate":"Listening on' "$work/file.log"; then pass "the trimmed program logs through a formatter of the settings"; else fail "no line in file.log"; fi
if grep -q example "$work/queries.log"; then pass "the trimmed program writes the query log"; else fail "no line in queries.log"; fi
size=$(du -sm "$folder" | cut -f1)
if [ "$size" -le 50 ]; then pass "the program and its documents are $size MB"; else fail "the program and its documents are $size MB, expected 50 at most"; fi

# Sockets that a service manager holds are served, and what came before the start is answered.
cat >"$work/activate.py" <<'PYTHON'
import os, socket, sys
udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); udp.bind(('127.0.0.1', int(sys.argv[1])))
tcp = socket.socket(); tcp.bind(udp.getsockname()); tcp.listen(16)
held = [os.dup2(os.dup(s.fileno()), 40 + i) for i, s in enumerate((udp, tcp))]
for i, fd in enumerate(held): os.dup2(fd, 3 + i, inheritable=True)
os.environ.update(LISTEN_FDS='2', LISTEN_PID=str(os.getpid()))
os.execv(sys.argv[2], sys.argv[2:])
PYTHON
port=$(free_port)
start "$work/activated.log" python3 "$work/activate.py" "$port" "$folder/dnsd" run --listen "127.0.0.1:$port" --Dns:Admin:Listen=null
for options in '' --tcp; do
  # shellcheck disable=SC2086
  answer=$("$ask" $options --wait 30 --pid "$last" --until NOERROR "127.0.0.1:$port" www.example.com A)
  if [ "$answer" = 'NOERROR answers=1' ]; then pass "sockets handed over ${options:---udp}: $answer"; else tail "$work/activated.log"; fail "sockets handed over $options: '$answer'"; fi
done

# What the package holds.
mkdir "$work/tree" && dpkg-deb -R "$deb" "$work/tree"
for file in usr/share/doc/dnsd/copyright usr/share/doc/dnsd/CHANGELOG.md usr/share/doc/dnsd/index.md \
  usr/share/doc/dnsd/reference/settings.md usr/share/doc/dnsd/telemetry/alerts.yml usr/share/doc/dnsd/dotnet-notices.txt usr/lib/dnsd/dnsd usr/bin/dnsd lib/systemd/system/dnsd.service etc/dnsd/dnsd.json usr/share/man/man8/dnsd.8.gz \
  usr/share/man/man5/dnsd.json.5.gz usr/share/bash-completion/completions/dnsd usr/share/zsh/vendor-completions/_dnsd \
  usr/share/fish/vendor_completions.d/dnsd.fish; do
  if [ -e "$work/tree/$file" ]; then pass "holds $file"; else fail "lacks $file"; fi
done
if [ "$(cat "$work/tree/DEBIAN/conffiles")" = /etc/dnsd/dnsd.json ]; then pass "the settings are a configuration file"; else fail "conffiles"; fi
if [ ! -e "$work/tree/usr/lib/dnsd/examples" ]; then pass "no examples in the folder of the program"; else fail "examples in the folder of the program"; fi
maintainer=$(dpkg-deb --field "$deb" Maintainer)
case $maintainer in *'<'*@localhost'>' | *'<>') fail "maintainer '$maintainer'" ;; *'<'*@*'>') pass "maintainer $maintainer" ;; *) fail "maintainer '$maintainer'" ;; esac
if has systemd-analyze; then
  sed "s#/usr/lib/dnsd/dnsd#$folder/dnsd#; /^Documentation=/d" "$work/tree/lib/systemd/system/dnsd.service" >"$work/dnsd.service"
  check_command "systemd-analyze verify" systemd-analyze verify --man=no --recursive-errors=no "$work/dnsd.service"
  exposure=$(systemd-analyze security --offline=true --no-pager "$work/dnsd.service" 2>&1 | sed -nE 's/.*Overall exposure level for [^:]*: ([0-9.]+).*/\1/p')
  if [ -n "$exposure" ] && awk "BEGIN { exit !($exposure <= 2.5) }"; then pass "systemd-analyze security: $exposure of 10"; else fail "systemd-analyze security: '$exposure'"; fi
else
  skip "systemd-analyze is not installed"
fi
# Every system call of a start, answers, a reload and a stop is one that the unit's filter lets through.
if has systemd-analyze && has strace; then
  port=$(free_port)
  start "$work/strace.log" strace -f -qq -o "$work/calls" "$folder/dnsd" run --listen "0.0.0.0:$port" --Dns:Admin:Listen=null
  traced=$last
  "$ask" --wait 60 --pid "$traced" --until NOERROR "127.0.0.1:$port" www.example.com A >"$work/answer"
  "$ask" --tcp "127.0.0.1:$port" www.example.com A >>"$work/answer"
  pkill -HUP -P "$traced"
  sleep 2
  pkill -TERM -P "$traced"
  wait "$traced"
  grep -oE '^SystemCallFilter=.*' "$work/tree/lib/systemd/system/dnsd.service" >"$work/filter"
  cat >"$work/filter.py" <<'PYTHON'
import re, subprocess, sys
sets, current = {}, None
text = subprocess.run(['systemd-analyze', 'syscall-filter', '--no-pager'], capture_output=True, text=True, check=True).stdout
for line in re.sub(r'\x1b\[[0-9;]*m', '', text).splitlines():
    word = line.strip()
    if line.startswith('@'): current = sets.setdefault(word, set())
    elif word and not word.startswith('#'): current.add(word)
def members(name): return set().union(*(members(w) if w.startswith('@') else {w} for w in sets[name]))
allowed = members('@default')
for line in open(sys.argv[1]):
    word = line.strip().split('=', 1)[1]
    allowed = allowed - members(word[1:]) if word.startswith('~') else allowed | members(word)
used = set(re.findall(r'^\d+ +([a-z_0-9]+)\(', open(sys.argv[2]).read(), re.M))
print(f'{len(used)} used, outside the filter: {sorted(used - allowed)}')
sys.exit(not used or bool(used - allowed))
PYTHON
  if [ "$(grep -c NOERROR "$work/answer")" -eq 2 ]; then check_command "the system calls used pass the unit's filter" python3 "$work/filter.py" "$work/filter" "$work/calls"
  else fail "it does not answer under strace"; fi
else
  skip "the unit's filter of system calls: systemd-analyze or strace is not installed"
fi
if has man; then
  for page in man8/dnsd.8.gz man5/dnsd.json.5.gz; do
    warnings=$(gzip -dc "$work/tree/usr/share/man/$page" | LC_ALL=C.UTF-8 MANROFFSEQ='' man --warnings -E UTF-8 -l -Tutf8 -Z - 2>&1 >/dev/null)
    if [ -z "$warnings" ]; then pass "man reads $page without a warning"; else fail "man $page: $warnings"; fi
  done
else
  skip "man is not installed"
fi
complete_bash() { # WORDS...: what bash offers behind them
  bash -c '. "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _dnsd; echo "${COMPREPLY[*]}"' - \
    "$work/tree/usr/share/bash-completion/completions/dnsd" "$@"
}
for row in 'dnsd imp|import' 'dnsd zone ch|check' 'dnsd run --str|--strict' 'dnsd completion z|zsh' 'dnsd completion p|powershell' 'dnsd query --js|--json'; do
  # shellcheck disable=SC2086
  got=$(complete_bash ${row%|*})
  if [ "$got" = "${row#*|}" ]; then pass "bash completes '${row%|*}'"; else fail "bash completes '${row%|*}' to '$got'"; fi
done
for shell in zsh:zsh/vendor-completions/_dnsd fish:fish/vendor_completions.d/dnsd.fish; do
  if has "${shell%%:*}"; then check_command "${shell%%:*} reads its completion" "${shell%%:*}" -n "$work/tree/usr/share/${shell#*:}"
  else skip "${shell%%:*} is not installed"; fi
done

# Manifests of containers: YAML that names what the image has.
if python3 -c 'import yaml' 2>/dev/null; then
  check_command "the manifests are YAML" python3 -c 'import sys, yaml; [list(yaml.safe_load_all(open(f))) for f in sys.argv[1:]]' \
    packaging/container/compose.yaml packaging/kubernetes/*/*.yaml
  check_command "the settings of the Kubernetes base are good" "$folder/dnsd" check --config packaging/kubernetes/base/dnsd.json "--Dns:Zones:0:Directory=$root/packaging/kubernetes/base"
else
  skip "the manifests: python3-yaml is not installed"
fi

[ "$(id -u)" -eq 0 ] || { skip "installing needs root"; finish; }
# An upgrade is a package of a higher version; its program is the same.
sed -i 's/^Version: .*/Version: 0.1.1/' "$work/tree/DEBIAN/control"
echo '// changed by the package' >>"$work/tree/etc/dnsd/dnsd.json"
dpkg-deb --root-owner-group -Zgzip -z1 --build "$work/tree" "$work/second.deb" >/dev/null || fail "packing the upgrade"
mkdir "$work/upper" "$work/workdir" "$work/root"
cat >"$work/install" <<'INSTALL'
set -u
say() { if [ "$1" -eq 0 ]; then echo "PASS $2"; else echo "FAIL $2"; fi; }
lives() { [ -e "$1" ]; say $? "$2: $1 is there"; }
gone() { [ ! -e "$1" ]; say $? "$2: $1 is gone"; }
export DEBIAN_FRONTEND=noninteractive PATH=/usr/sbin:/usr/bin:/sbin:/bin
dpkg --install /packages/first.deb >/install.log 2>&1; say $? "dpkg installs it"
dnsd --version | grep -qxE "0\.1\.0 \([0-9a-f]{12}\)"; say $? "dnsd is in the path"
if command -v systemctl >/dev/null; then lives /etc/systemd/system/multi-user.target.wants/dnsd.service "enabled"; fi
dnsd check --config /etc/dnsd/dnsd.json >/check.log 2>&1; say $? "the settings that it brings are good"
printf '@ 60 SOA ns h 1 2 3 4 5\n@ 60 NS ns\nns 60 A 192.0.2.1\n' >/etc/dnsd/zones/kept.example.zone
sed -i 's/"Listen": .*/"Listen": [ "127.0.0.1:53" ],/' /etc/dnsd/dnsd.json
dnsd run --config /etc/dnsd/dnsd.json >/run.log 2>&1 & server=$!
for _ in $(seq 50); do dnsd query kept.example SOA @127.0.0.1:53 --timeout 1 >/query.log 2>&1 && grep -q 'NOERROR' /query.log && break; sleep 0.2; done
grep -q NOERROR /query.log; say $? "it serves a zone of /etc/dnsd/zones on port 53"
dpkg --install --force-confold /packages/second.deb >>/install.log 2>&1; say $? "dpkg upgrades it while it runs"
kill -0 $server && dnsd query kept.example SOA @127.0.0.1:53 >/query.log 2>&1; say $? "the old server serves until it is restarted"
kill -TERM $server; wait $server; say $? "and stops with exit code 0"
grep -q '127.0.0.1:53' /etc/dnsd/dnsd.json; say $? "changed settings stay at an upgrade"
dpkg --remove dnsd >>/install.log 2>&1; say $? "dpkg removes it"
gone /usr/lib/dnsd/dnsd removed; gone /etc/systemd/system/multi-user.target.wants/dnsd.service removed
lives /etc/dnsd/dnsd.json "removed, not purged"; lives /etc/dnsd/zones/kept.example.zone "removed"
dpkg --purge dnsd >>/install.log 2>&1; say $? "dpkg purges it"
gone /etc/dnsd/dnsd.json purged; lives /etc/dnsd/zones/kept.example.zone "zones stay: purged"
INSTALL
cat >"$work/namespace" <<ENTER
set -e
mount -t tmpfs tmpfs "$work/upper"
mkdir "$work/upper/data" "$work/upper/work" "$work/upper/packages"
mount -t overlay overlay -o "lowerdir=/,upperdir=$work/upper/data,workdir=$work/upper/work" "$work/root"
mkdir -p "$work/root/packages" && cp "$deb" "$work/root/packages/first.deb" && cp "$work/second.deb" "$work/root/packages/second.deb"
cp "$work/install" "$work/root/install"
mount --rbind /dev "$work/root/dev"; mount -t proc proc "$work/root/proc"; mount -t tmpfs tmpfs "$work/root/run"; mount -t tmpfs tmpfs "$work/root/tmp"
ip link set lo up
chroot "$work/root" bash /install
for log in install check run; do echo "-- \$log.log"; tail -n 15 "$work/root/\$log.log"; done
ENTER
if ! timeout 150 unshare --mount --net --pid --fork --kill-child bash "$work/namespace" >"$work/namespace.log" 2>&1 && ! grep -q ^PASS "$work/namespace.log"; then
  tail -n 5 "$work/namespace.log"
  skip "installing: this machine does not let a mount namespace have an overlay"
  finish
fi
while read -r line; do
  case $line in PASS*) pass "${line#PASS }" ;; FAIL*) fail "${line#FAIL }" ;; esac
done < <(grep -E '^(PASS|FAIL) ' "$work/namespace.log")
grep -q '^PASS zones stay' "$work/namespace.log" || { fail "the installation did not come to its end"; }
[ "$failed" -eq 0 ] || sed -n '/^-- /,$p' "$work/namespace.log"
finish
