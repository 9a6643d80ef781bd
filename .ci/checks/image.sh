#!/usr/bin/env bash
# Builds the image without an engine (buildah) on stand-ins for the base images: a minimal Debian with the installed SDK or runtime,
# tagged with the names that the Dockerfile asks for. Then runs it as an engine would: its own user, entry point and environment, a
# read-only root, a network of its own where port 53 needs no privilege; and asks it. Nothing is pulled, and packages come from the
# machine's NuGet cache.
set -u
. "$(dirname "$0")/../lib.sh"
[ "$(id -u)" -eq 0 ] || { skip "image: building without an engine needs root"; finish; }
for tool in buildah debootstrap unshare nsenter ip python3; do
  has "$tool" || { skip "image: $tool is not installed"; finish; }
done
export STORAGE_DRIVER=vfs BUILDAH_ISOLATION=chroot
store=(--root "$work/store" --runroot "$work/run")
b() { buildah "${store[@]}" "$@"; }
cleanups+=('buildah "${store[@]}" umount --all >/dev/null 2>&1; buildah "${store[@]}" rm --all >/dev/null 2>&1')
give_up() { tail -n 30 "$work/command.log"; fail "$1"; finish; }

stand_in() { # IMAGE FOLDERS...: a minimal Debian with these folders of the SDK
  local name=$1 container mount
  shift
  container=$(b from "$base") && mount=$(b mount "$container") || return 1
  mkdir -p "$mount/usr/share/dotnet" && (cd "$dotnet_root" && cp -a --parents "$@" "$mount/usr/share/dotnet/") || return 1
  ln -sf ../share/dotnet/dotnet "$mount/usr/bin/dotnet"
  b config --env APP_UID=1654 --env DOTNET_SYSTEM_GLOBALIZATION_INVARIANT=1 "$container" &&
    b commit --quiet --rm "$container" "$name"
}

dotnet_root=$(dirname "$(readlink -f "$(command -v dotnet)")")
runtime=shared/Microsoft.NETCore.App/$(dotnet --list-runtimes | awk '$1 == "Microsoft.NETCore.App" && $2 ~ /^10\./ { v = $2 } END { print v }')
web=shared/Microsoft.AspNetCore.App/$(dotnet --list-runtimes | awk '$1 == "Microsoft.AspNetCore.App" && $2 ~ /^10\./ { v = $2 } END { print v }')
sdk=sdk/$(dotnet --version)
base=$(b from scratch) && mount=$(b mount "$base") || give_up "an empty image"
debootstrap --variant=minbase --include=libssl3,ca-certificates bookworm "$mount" >"$work/command.log" 2>&1 || give_up "debootstrap"
rm -rf "$mount/var/cache/apt" "$mount/var/lib/apt/lists"
echo 'app:x:1654:1654::/tmp:/bin/sh' >>"$mount/etc/passwd"
base=$(b commit --quiet --rm "$base" localhost/base) || give_up "the stand-in of the base"
{ stand_in mcr.microsoft.com/dotnet/sdk:10.0 dotnet host "$runtime" "$web" packs sdk-manifests templates "$sdk" &&
  stand_in mcr.microsoft.com/dotnet/aspnet:10.0 dotnet host "$runtime" "$web"; } >"$work/command.log" 2>&1 || give_up "the stand-ins of SDK and runtime"
pass "stand-ins for the base images"

# The packages are those that a restore outside has put into the cache; inside there is no other source.
dotnet restore src/Dns.Server >"$work/command.log" 2>&1 || give_up "dotnet restore"
packages=$(dotnet nuget locals global-packages --list | sed 's/^[^:]*: *//')
cat >"$work/NuGet.Config" <<'XML'
<configuration>
  <packageSources><clear /><add key="cache" value="/packages" /></packageSources>
</configuration>
XML
check_command "buildah builds the Dockerfile" buildah "${store[@]}" build --format docker --pull-never \
  --volume "$packages:/packages:ro" --volume "$work/NuGet.Config:/source/NuGet.Config:ro" --tag localhost/dnsd . || finish

container=$(b from localhost/dnsd) && mount=$(b mount "$container") || give_up "a container of the image"
inspect() { b inspect --type image --format "$1" localhost/dnsd; }
size=$(du -sm "$mount/app" | cut -f1)
if [ "$size" -le 20 ]; then pass "the program is $size MB in the image"; else fail "the program is $size MB in the image"; fi
user=$(inspect '{{.Docker.Config.User}}')
if [ "$user" = 1654 ]; then pass "runs as user $user"; else fail "runs as user '$user'"; fi

owner=$(stat -c %u:%g "$mount/var/lib/dnsd")
if [ "$owner" = 1654:1654 ]; then pass "a volume for the state belongs to that user"; else fail "the state directory belongs to '$owner'"; fi

mkdir -p "$work/zones"
cat >"$work/zones/image.test.zone" <<'ZONE'
$TTL 300
@ SOA ns hostmaster 1 3600 600 86400 300
@ NS ns
ns A 192.0.2.1
ZONE
chmod 755 "$work" "$work/zones"
# What an engine does: the mounts, a network where unprivileged programs may have port 53, the image's user, environment and command.
cat >"$work/enter" <<'ENTER'
set -e
mount --bind "$mount" "$mount"
mount --bind "$zones" "$mount/zones"
mount --rbind /dev "$mount/dev"
mount -t proc proc "$mount/proc"
mount -t tmpfs tmpfs "$mount/tmp"
mount -o remount,bind,ro "$mount/zones"
mount -o remount,bind,ro "$mount"
ip link set lo up
echo 0 >/proc/sys/net/ipv4/ip_unprivileged_port_start
cd "$mount"
exec env -i "${environment[@]}" chroot --userspec=1654:1654 --groups= . "${command[@]}"
ENTER
list() { inspect "{{range .Docker.Config.$1}}{{.}}{{\"\\n\"}}{{end}}" | sed '/^$/d'; }
mapfile -t environment < <(list Env)
mapfile -t command < <(list Entrypoint; list Cmd)
mapfile -t health < <(list Healthcheck.Test | sed 1d)
zones=$work/zones
{ declare -p mount zones environment command; cat "$work/enter"; } >"$work/enter.sh"
start "$work/server.log" unshare --mount --net bash "$work/enter.sh"
server=$last
# Until unshare has run, the process still lives in our own network, and who enters it then stays there.
for _ in $(seq 100); do
  [ "$(readlink "/proc/$server/ns/net")" = "$(readlink /proc/self/ns/net)" ] || break
  sleep 0.1
done
inside() { nsenter --target "$server" --net -- "$@"; }
expect() { # WANTED ask's arguments
  local want=$1 got
  shift
  got=$(inside "$ask" --wait 60 --pid "$server" --until "${want%% *}" "$@")
  if [ "$got" = "$want" ]; then pass "in the image, ask $*: $got"; else fail "in the image, ask $*: '$got', expected '$want'"; fi
}
expect 'NOERROR answers=1' 127.0.0.1:53 ns.image.test A
[ "$failed" -eq 0 ] || { tail -n 20 "$work/server.log"; finish; }
expect 'NOERROR answers=1' '[::1]:53' ns.image.test A
expect 'NOERROR answers=1' --tcp 127.0.0.1:53 image.test SOA
if [ "${#health[@]}" -gt 0 ]; then
  check_command "the health check: ${health[*]}" nsenter --target "$server" --net --mount --root --wd --setgid 1654 --setuid 1654 -- \
    env -i "${environment[@]}" "${health[@]}"
else
  fail "the image has no health check"
fi
if kill -TERM "$server" && wait "$server"; then pass "SIGTERM stops it with exit code 0"; else fail "SIGTERM stops it with exit code $?"; fi
[ "$failed" -eq 0 ] || tail -n 20 "$work/server.log"
finish
