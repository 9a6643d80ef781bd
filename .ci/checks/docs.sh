#!/usr/bin/env bash
# The documentation as a site: mkdocs builds it without a warning, no link or anchor in it is dead, and its search finds the page that a
# reader wants as the first hit. Wants the Debian packages mkdocs and nodejs.
set -u
. "$(dirname "$0")/../lib.sh"
if ! has mkdocs; then
  skip "mkdocs is not installed"
  finish
fi
if mkdocs build --strict --site-dir "$work/site" >"$work/build.log" 2>&1 && ! grep -qE '^(WARNING|ERROR)' "$work/build.log"; then
  pass "mkdocs build --strict"
else
  cat "$work/build.log"
  fail "mkdocs build --strict"
  finish
fi
count() { # FILE: its PASS and FAIL lines
  grep '^FAIL' "$1"
  passed=$((passed + $(grep -c '^PASS' "$1"))) failed=$((failed + $(grep -c '^FAIL' "$1")))
}
python3 .ci/docs/links.py "$work/site" >"$work/links.log" 2>&1 || fail "links.py: $(tail -n 1 "$work/links.log")"
count "$work/links.log"
[ "$passed" -gt 50 ] || fail "only $passed pages"
for page in $(cd docs && find start how-to reference -name '*.md'); do
  if grep -qE "[ :-] $page\$" mkdocs.yml; then pass "$page is in the navigation"; else fail "$page is not in the navigation of mkdocs.yml"; fi
done
if has node; then
  node .ci/docs/search.js "$work/site" .ci/docs/searches.txt >"$work/search.log" 2>&1 || fail "search.js: $(tail -n 1 "$work/search.log")"
  count "$work/search.log"
else
  skip "node is not installed: the search is not asked"
fi
finish
