#!/usr/bin/env bash
# Runs the service under systemd itself: process 1 of namespaces of its own, with a copy-on-write view of this machine's files
# (.ci/systemd/boot). There the package and "dnsd service install" are put through the life of a service (.ci/systemd/scenario).
set -u
. "$(dirname "$0")/../lib.sh"
[ "$(id -u)" -eq 0 ] || { skip "systemd: starting it needs root"; finish; }
for tool in /lib/systemd/systemd systemctl journalctl dpkg-deb unshare nsenter ip dig python3; do
  has "$tool" || { skip "systemd: $tool is not installed"; finish; }
done
export DNSD_BUILD_FOLDER=${DNSD_BUILD_FOLDER:-$work/build}
check_command "packaging/build.sh" packaging/build.sh --output "$work/packages" --version 0.1.0 || finish
# An upgrade is a package of a higher version; its program is the same.
mv "$work"/packages/*.deb "$work/packages/first.deb"
dpkg-deb -R "$work/packages/first.deb" "$work/tree"
sed -i 's/^Version: .*/Version: 0.1.1/' "$work/tree/DEBIAN/control"
dpkg-deb --root-owner-group -Zgzip -z1 --build "$work/tree" "$work/packages/second.deb" >/dev/null || fail "packing the upgrade"
# A version before the static user.
sed -i 's/^Version: .*/Version: 0.0.9/' "$work/tree/DEBIAN/control"
sed -i '/^new=/,/^fi$/d; /^# Mode 0640/,/^fi$/d' "$work/tree/DEBIAN/postinst"
sed -i 's/^User=.*/DynamicUser=yes/; /^Group=/d; /DirectoryMode=/d' "$work/tree/lib/systemd/system/dnsd.service"
rm -r "$work/tree/usr/lib/sysusers.d"
dpkg-deb --root-owner-group -Zgzip -z1 --build "$work/tree" "$work/packages/dynamic.deb" >/dev/null || fail "packing a version before"

group=$(sed -n 's/^0:://p' /proc/self/cgroup)/$(basename "$work")
end_systemd() { # and with process 1 all others; then the cgroups are empty and can go
  kill -KILL "$systemd" 2>/dev/null
  for _ in $(seq 50); do kill -0 "$systemd" 2>/dev/null || break; sleep 0.1; done
  # shellcheck disable=SC2016
  unshare --mount bash -c 'mount -t cgroup2 cgroup2 "$1" && find "$1/$2" -depth -type d -exec rmdir {} +' - "$work/cgroup" "$group"
}
mkdir "$work/cgroup" "$work/upper" "$work/root"
start "$work/boot.log" unshare --mount --net --pid --ipc --uts --fork --kill-child bash .ci/systemd/boot "$work"
outer=$last
systemd=
started=()
disown "$outer"
# Said after the last line it would hide the sum.
cleanups+=("end_systemd 2>/dev/null")
state=
for _ in $(seq 100); do
  systemd=$(pgrep -P "$outer")
  [ "$(cat "/proc/$systemd/comm" 2>/dev/null)" != systemd ] ||
    state=$(nsenter --target "$systemd" --all -- systemctl is-system-running 2>/dev/null)
  case $state in running | degraded) break ;; esac
  [ -d "/proc/$outer" ] || break
  sleep 0.2
done
version=$(systemctl --version | head -n 1)
if [ -z "$state" ]; then
  tail -n 5 "$work/boot.log"
  [ ! -e "$work/boot-failed" ] || { fail "preparing the files of the system"; finish; }
  skip "systemd: it cannot be process 1 of namespaces of its own on this machine ($version)"
  finish
fi
if [ "$state" = running ]; then pass "$version runs as process 1"; else fail "$version is $state"; fi

timeout 420 nsenter --target "$systemd" --all -- env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 \
  bash /check/scenario >"$work/scenario.log" 2>&1
while read -r line; do
  case $line in PASS*) pass "${line#PASS }" ;; FAIL*) fail "${line#FAIL }" ;; esac
done < <(grep -E '^(PASS|FAIL) ' "$work/scenario.log")
grep -q '^THE END$' "$work/scenario.log" || fail "the scenario did not come to its end"
[ "$failed" -eq 0 ] || cat "$work/boot.log" "$work/scenario.log"
finish
