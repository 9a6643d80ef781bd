#!/usr/bin/env bash
# Does what the pages of docs/start and docs/how-to say, on machines that are namespaces. Pages may be named: howto.sh docs/how-to/backup.md
set -u
. "$(dirname "$0")/../lib.sh"
need_dnsd
pages=("$@")
[ "$#" -gt 0 ] || pages=(docs/start/*.md docs/how-to/*.md)
for number in "${!pages[@]}"; do # the page of links to the others has nothing to do
  case ${pages[number]} in */README.md | */index.md) unset "pages[number]" ;; esac
done
python3 -c 'import yaml' 2>/dev/null || { skip "the pages: python3-yaml is not installed"; finish; }
unshare --net --mount --pid --fork true 2>/dev/null || { skip "the pages: namespaces cannot be made here"; finish; }
export HOWTO_FOLDER=$work
unshare --net --mount --pid --fork --mount-proc --kill-child .ci/howto "$dnsd_dll" "${pages[@]}" | tee "$work/howto.log"
sum=$(tail -n 1 "$work/howto.log" | grep -oE '^[0-9]+ passed, [0-9]+ failed, [0-9]+ skipped$') || { fail "howto ended early"; finish; }
read -r passed failed skipped <<<"${sum//[^0-9 ]/}"
finish
