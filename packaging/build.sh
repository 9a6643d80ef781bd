#!/usr/bin/env bash
# Builds what is installed on Linux: a tarball and a Debian package of the self-contained program, which needs no runtime.
#   packaging/build.sh [--output FOLDER] [--version VERSION] [--maintainer "NAME <ADDRESS>"]
# Default: artifacts/packages, the version of Directory.Build.props, the maintainers of the repository.
set -euo pipefail
cd "$(dirname "$0")/.."
output=artifacts/packages
version=$(sed -nE 's/.*<Version>(.*)<\/Version>.*/\1/p' Directory.Build.props)
maintainer="dnsd maintainers <$(git log -1 --format=%ae 2>/dev/null || true)>"
while [ $# -gt 0 ]; do
  case $1 in
    --output) output=$2; shift 2 ;;
    --version) version=$2; shift 2 ;;
    --maintainer) maintainer=$2; shift 2 ;;
    *) echo "build.sh: unknown option $1" >&2; exit 2 ;;
  esac
done
[ "$maintainer" != "dnsd maintainers <>" ] || { echo "build.sh: outside a clone --maintainer is needed" >&2; exit 2; }
mkdir -p "$output"
output=$(cd "$output" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
umask 022

# Folders of its own: the build of the clone is for another target and stays as it is. Analysers belong to that build.
dotnet publish src/Dns.Server -c Release -r linux-x64 --self-contained --artifacts-path "${DNSD_BUILD_FOLDER:-$work/build}" \
  -p:Version="$version" -p:DebugType=none -p:RunAnalyzers=false -p:PublishTrimmed=true -o "$work/program" -nologo -v quiet
# What only debuggers and profilers load, and collectors of garbage that the settings of the program do not ask for.
rm -f "$work"/program/*.pdb "$work"/program/*.xml "$work/program/createdump" "$work"/program/libmscordaccore.so \
  "$work"/program/libmscordbi.so "$work"/program/libcoreclrtraceptprovider.so "$work"/program/libclrgc.so "$work"/program/libclrgcexp.so
find "$work/program" -type f -exec chmod 644 {} +
chmod 755 "$work/program/dnsd"
dnsd=$work/program/dnsd

pages() { # FOLDER: the pages of the manual, compressed without a time so that equal pages are equal files
  mkdir -p "$1/man8" "$1/man5"
  "$dnsd" manual dnsd.8 | gzip -9n >"$1/man8/dnsd.8.gz"
  "$dnsd" manual dnsd.json.5 | gzip -9n >"$1/man5/dnsd.json.5.gz"
}

documents() { # FOLDER: what to read, and what the licences ask to come along
  local part
  for part in docs/*/; do [ "$part" = docs/explanation/ ] || cp -r "${part%/}" "$1/"; done
  rm "$1/telemetry/status.png"
  cp docs/index.md CHANGELOG.md SECURITY.md "$1/"
  local notices
  notices=$(ls -d "$(dotnet nuget locals global-packages --list | sed 's/^[^:]*: *//')"/microsoft.netcore.app.runtime.linux-x64/*/THIRD-PARTY-NOTICES.TXT | sort -V | tail -n 1)
  cp "$notices" "$1/dotnet-notices.txt"
}

# The tarball: unpacked anywhere it is the whole program.
name=dnsd-$version-linux-x64
mkdir "$work/$name"
cp -a "$work/program/." "$work/$name/"
pages "$work/$name/man"
mkdir -p "$work/$name/completion" "$work/$name/doc"
for shell in bash zsh fish; do "$dnsd" completion $shell >"$work/$name/completion/dnsd.$shell"; done
"$dnsd" completion powershell >"$work/$name/completion/dnsd.ps1"
documents "$work/$name/doc"
cp LICENSE packaging/licenses/Apache-2.0.txt packaging/debian/copyright "$work/$name/doc/"
tar -C "$work" --owner=0 --group=0 --sort=name -czf "$output/$name.tar.gz" "$name"

# The Debian package.
tree=$work/deb
mkdir -p "$tree/DEBIAN" "$tree/usr/lib/dnsd" "$tree/usr/bin" "$tree/etc/dnsd/zones" "$tree/lib/systemd/system" \
  "$tree/usr/lib/sysusers.d" \
  "$tree/usr/share/bash-completion/completions" "$tree/usr/share/zsh/vendor-completions" \
  "$tree/usr/share/fish/vendor_completions.d" "$tree/usr/share/doc/dnsd/examples"
cp -a "$work/program/." "$tree/usr/lib/dnsd/"
mv "$tree/usr/lib/dnsd/examples" "$tree/usr/share/doc/dnsd/examples/zones-and-settings"
ln -s ../lib/dnsd/dnsd "$tree/usr/bin/dnsd"
pages "$tree/usr/share/man"
"$dnsd" completion bash >"$tree/usr/share/bash-completion/completions/dnsd"
"$dnsd" completion zsh >"$tree/usr/share/zsh/vendor-completions/_dnsd"
"$dnsd" completion fish >"$tree/usr/share/fish/vendor_completions.d/dnsd.fish"
documents "$tree/usr/share/doc/dnsd"
cp packaging/debian/copyright "$tree/usr/share/doc/dnsd/copyright"
cp packaging/dnsd.socket packaging/dnsd-takeover.conf "$tree/usr/share/doc/dnsd/examples/"
cp -r packaging/container packaging/kubernetes "$tree/usr/share/doc/dnsd/examples/"
"$dnsd" service install --dry-run --program /usr/lib/dnsd/dnsd >"$tree/lib/systemd/system/dnsd.service"
cp packaging/dnsd.sysusers "$tree/usr/lib/sysusers.d/dnsd.conf"
"$dnsd" service settings >"$tree/etc/dnsd/dnsd.json"
for script in postinst prerm postrm; do install -m 755 "packaging/debian/$script" "$tree/DEBIAN/$script"; done
echo /etc/dnsd/dnsd.json >"$tree/DEBIAN/conffiles"
sed -e "s/@VERSION@/$version/" -e "s/@MAINTAINER@/$maintainer/" -e "s/@SIZE@/$(du -sk --exclude=DEBIAN "$tree" | cut -f1)/" packaging/debian/control.in >"$tree/DEBIAN/control"
(cd "$tree" && find . -type f ! -path './DEBIAN/*' -printf '%P\0' | sort -z | xargs -0 md5sum >DEBIAN/md5sums)
dpkg-deb --root-owner-group -Zxz -z6 --build "$tree" "$output/dnsd_${version}_amd64.deb" >/dev/null
ls -l "$output"
