#!/usr/bin/env bash
# Builds the image without an engine (buildah) on stand-ins for the base images: a minimal Debian with the installed SDK or runtime,
# tagged with the names that the Dockerfile asks for. Then runs it as an engine would: its own user, entry point and environment, a
# read-only root, a network of its own where port 53 needs no privilege; and asks it. Nothing is pulled, and packages come from the
# machine's NuGet cache.
set -u
. "$(dirname "$0")/../lib.sh"
[ "$(id -u)" -eq 0 ] || { skip "image: building without an engine needs root"; finish; }
for tool in buildah debootstrap unshare nsenter ip setpriv; do
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
  mkdir -p "$mount$dotnet_root" && (cd "$dotnet_root" && cp -a --parents "$@" "$mount$dotnet_root/") || return 1
  ln -sf "$dotnet_root/dotnet" "$mount/usr/bin/dotnet"
  b config --env DOTNET_ROOT="$dotnet_root" --env APP_UID=1654 --env DOTNET_SYSTEM_GLOBALIZATION_INVARIANT=1 "$container" &&
    b commit --quiet --rm "$container" "$name"
}

dotnet_root=$(dirname "$(readlink -f "$(command -v dotnet)")")
runtime=shared/Microsoft.NETCore.App/$(dotnet --list-runtimes | awk '$1 == "Microsoft.NETCore.App" && $2 ~ /^10\./ { v = $2 } END { print v }')
sdk=sdk/$(dotnet --version)
debootstrap --variant=minbase --include=libssl3,ca-certificates bookworm "$work/base" >"$work/command.log" 2>&1 || give_up "debootstrap"
rm -rf "$work/base/var/cache/apt" "$work/base/var/lib/apt/lists"
echo 'app:x:1654:1654::/home/app:/bin/sh' >>"$work/base/etc/passwd"
base=$(b from scratch) && b copy --quiet "$base" "$work/base" / >"$work/command.log" 2>&1 &&
  base=$(b commit --quiet --rm "$base" localhost/base) || give_up "the stand-in of the base"
rm -rf "$work/base"
{ stand_in mcr.microsoft.com/dotnet/sdk:10.0 dotnet host shared packs sdk-manifests templates "$sdk" &&
  stand_in mcr.microsoft.com/dotnet/runtime:10.0 dotnet host "$runtime"; } >"$work/command.log" 2>&1 || give_up "the stand-ins of SDK and runtime"
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

mkdir -p "$work/zones"
cat >"$work/zones/image.test.zone" <<'ZONE'
$TTL 300
@ SOA ns hostmaster 1 3600 600 86400 300
@ NS ns
ns A 192.0.2.1
ZONE
chmod 755 "$work" "$work/zones"
# In the image's root: read-only, /zones mounted, no capability, the image's environment and command.
cat >"$work/enter" <<'ENTER'
mount --bind "$mount" "$mount" && mount --bind "$zones" "$mount/zones" && mount --bind /dev "$mount/dev" &&
  mount -t proc proc "$mount/proc" && mount -o remount,bind,ro "$mount" && mount -o remount,bind,ro "$mount/zones" &&
  cd "$mount" && exec env -i "${environment[@]}" setpriv --reuid 1654 --regid 1654 --clear-groups --bounding-set=-all --inh-caps=-all \
    --no-new-privs chroot . "$@"
ENTER
finish
