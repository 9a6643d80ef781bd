# Shared by the checks: counting, a folder of their own, servers that are always ended. Sourced, not run.
# A check prints PASS, FAIL and SKIP lines and ends with "N passed, N failed, N skipped"; it exits 1 on any failure.

cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
root=$PWD
ask=$root/.ci/ask
shared=${DNSD_SHARED:-$root/../shared}
export DOTNET_CLI_TELEMETRY_OPTOUT=1 DOTNET_NOLOGO=1

passed=0 failed=0 skipped=0
started=()
cleanups=()
work=$(mktemp -d) || exit 1

pass() { passed=$((passed + 1)); echo "PASS $*"; }
fail() { failed=$((failed + 1)); echo "FAIL $*"; }
skip() { skipped=$((skipped + 1)); echo "SKIP $*"; }

finish() {
  echo "$passed passed, $failed failed, $skipped skipped"
  [ "$failed" -eq 0 ]
  exit
}

end_process() { # pid: ends it and what it started, and waits until it is gone
  kill -TERM -- "-$1" 2>/dev/null
  for _ in $(seq 50); do
    kill -0 -- "-$1" 2>/dev/null || return 0
    sleep 0.1
  done
  kill -KILL -- "-$1" 2>/dev/null
}

clean_up() {
  for pid in "${started[@]}"; do end_process "$pid"; done
  for action in "${cleanups[@]}"; do eval "$action"; done
  rm -rf "$work"
}
trap clean_up EXIT
trap 'exit 130' INT TERM

# start LOG COMMAND...: runs it in a process group of its own; its id is in $last
start() {
  local log=$1
  shift
  setsid "$@" >"$log" 2>&1 </dev/null &
  last=$!
  started+=("$last")
}

free_port() { "$ask" --free-port; }

has() { command -v "$1" >/dev/null 2>&1; }

# The built program; build.sh makes it.
dnsd() { dotnet "$root/src/Dns.Server/bin/Release/net10.0/dnsd.dll" "$@"; }
dnsd_dll=$root/src/Dns.Server/bin/Release/net10.0/dnsd.dll
need_dnsd() {
  [ -f "$dnsd_dll" ] && return 0
  dotnet build src/Dns.Server -c Release >"$work/build.log" 2>&1 && return 0
  tail -n 20 "$work/build.log"
  fail "the server does not build"
  finish
}

# check_command NAME COMMAND...: passes when it exits 0; shows the end of its output when not
check_command() {
  local name=$1
  shift
  if "$@" >"$work/command.log" 2>&1; then
    pass "$name"
  else
    tail -n 40 "$work/command.log"
    fail "$name"
    return 1
  fi
}
