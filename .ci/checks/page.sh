#!/usr/bin/env bash
# The status page in a real browser, with and without script: warnings first, zones, load and the names that were asked for, a lookup
# explained; script in a name stays text, and a screen of 400 pixels holds it. DNSD_SCREENSHOT=FILE keeps the picture.
set -u
. "$(dirname "$0")/../lib.sh"
browser=
for candidate in chromium chromium-browser google-chrome; do has "$candidate" && browser=$candidate && break; done
[ -n "$browser" ] || { skip "page: no chromium is installed"; finish; }
need_dnsd
dns=$(free_port) admin=$(free_port)
cat >"$work/broken.zone" <<'ZONE'
@ SOA ns hostmaster 1 3600 600 86400 300
@ NS ns
ns A 192.0.2.300
ZONE
mkdir "$work/customers"
for i in $(seq 100 159); do printf '@ SOA ns hostmaster %s 3600 600 86400 300\n@ NS ns\nns A 192.0.2.1\n' "$i" >"$work/customers/customer$i.example.zone"; done
cat >"$work/dnsd.json" <<JSON
{ "Dns": { "Listen": [ "127.0.0.1:$dns" ], "Identity": "ns1.example.net", "Admin": { "Listen": "127.0.0.1:$admin" },
    "Recursion": { "AllowFrom": [ "127.0.0.1" ] }, "Forward": [ { "Zone": "elsewhere.test", "Upstreams": [ "127.0.0.1:9" ] } ],
    "Zones": [ { "Directory": "$root/zones" }, { "Directory": "customers" }, { "Name": "broken.example", "File": "broken.zone" } ] } }
JSON
start "$work/dnsd.log" dotnet "$dnsd_dll" run --config "$work/dnsd.json"
"$ask" --wait 60 --pid "$last" --until NOERROR "127.0.0.1:$dns" example.com SOA >/dev/null || { cat "$work/dnsd.log"; fail "the server answers"; finish; }
for _ in $(seq 100); do grep -q "Admin port on" "$work/dnsd.log" && break; sleep 0.1; done

cat >"$work/load.py" <<'PYTHON'
# A little load of several kinds, and names that are script; the longer, the more of a history.
import random, socket, struct, sys, time
port = int(sys.argv[1])
known = [b'www.example.com', b'ns1.example.com', b'mail.example.com', b'example.com', b'example.net', b'none.example.com', b'x.elsewhere.test']
odd = [b'<script>document.title="caught"<.x>', b'"><img src=x onerror=alert(1)>']
sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
sock.settimeout(0.5)
def ask(labels, kind):
    name = b''.join(bytes([len(l)]) + l for l in labels) + b'\0'
    sock.sendto(struct.pack('!HHHHHH', random.randrange(65536), 256, 1, 0, 0, 0) + name + struct.pack('!HH', kind, 1), ('127.0.0.1', port))
    try: sock.recv(4096)
    except TimeoutError: pass
turn = 0
while True:
    turn += 1
    ask(random.choices(known, weights=[30, 12, 8, 6, 4, 5, 2])[0].split(b'.'), random.choice([1, 1, 1, 28, 28, 15, 16, 2]))
    if turn % 12 == 0: ask([odd[turn % 2][:63], b'example', b'com'], 1)
    if turn % 40 == 0: ask([b'broken', b'example'], 1)
    if random.random() < 0.002 + 0.001 * (turn % 7): time.sleep(random.random() * 0.05)
PYTHON
start "$work/load.log" python3 "$work/load.py" "$dns"
sleep "${DNSD_PAGE_SECONDS:-12}"

page="http://127.0.0.1:$admin/"
browse() { timeout 60 python3 "$root/.ci/browse.py" "$browser" "$@"; }
shows() { # what, and a pattern of the document
  if grep -qE "$2" "$work/dom.html"; then pass "$when, the page shows $1"; else fail "$when, the page shows $1"; fi
}
for when in "with script" "without script"; do
  flags=()
  # With script, after it has fetched the page again.
  if [ "$when" = "without script" ]; then flags=(--no-script); else flags=(--wait 7); fi
  browse "$page?name=www.example.com&type=A" "${flags[@]}" --value 'document.documentElement.outerHTML' >"$work/dom.html"
  shows "who it is" '<span id="about">ns1\.example\.net · version'
  shows "the broken zone as a warning, and why" '<li class="bad"><strong>error</strong> 1 zone broken: [^<]*<small>broken\.example\. '
  shows "the upstream that is down as a warning" '<li class="bad"><strong>error</strong> all upstreams of elsewhere\.test\. are down'
  shows "the broken zone first" '<tbody><tr><td>broken\.example\.</td><td class="word">primary</td><td class="bad">broken: '
  shows "a zone that is served, with its serial" '<td>2\.0\.192\.in-addr\.arpa\.</td><td class="word">primary</td><td class="good">serving</td><td class="n" data-name="serial">[0-9]+</td>'
  shows "a page of the zones, and the next one" '<span>1 to 25 of 6[0-9]</span> <a href="\?range=5min&amp;page=2&amp;name=www\.example\.com&amp;type=A#zones">next'
  shows "codes of answers" '<tr><td>NXDOMAIN</td><td class="n">[0-9.]+( k)?</td>'
  shows "the most frequent name" '<section id="names"><h2>[^<]*</h2><table>(<tbody>)?<tr><td>www\.example\.com\.</td>'
  shows "the client" '<section id="clients"><h2>[^<]*</h2><table>(<tbody>)?<tr><td>127\.0\.0\.1</td>'
  shows "the load" '<path class="area one" d="M[0-9.]+ 100L'
  shows "the median on a log scale" '<span>10 µs</span>.*<path class="line one" d="M[0-9]'
  shows "the error of the broken zone" '<section id="log".*broken'
  shows "the lookup explained" '<strong>www\.example\.com\. A</strong>, queried by 127\.0\.0\.1'
  shows "links to metrics and JSON" '<a href="metrics">metrics</a> <a href="api/status">'
  shows "script in a name as text" '&lt;script&gt;document'
  if grep -q '<title>dnsd</title>' "$work/dom.html" && ! grep -qE '<(script|img)[^>]*>document|<img' "$work/dom.html"
  then pass "$when, script in a name does not run"; else fail "$when, script in a name does not run"; fi
done

browse "$page?zones=customer1" --value 'document.querySelectorAll("#zonelist tbody tr").length + " " + document.querySelector(".pages span").textContent' \
  --value '(search.elements.zones.value = "customer13", search.dispatchEvent(new Event("submit", { cancelable: true })), new Promise(done => setTimeout(done, 2000)))' \
  --value 'document.querySelectorAll("#zonelist tbody tr").length + " of " + location.search' >"$work/search"
if grep -qxF '25 1 to 25 of 60' "$work/search" && grep -qxF '10 of ?zones=customer13' "$work/search"
then pass "zones are searched, also while typing"; else cat "$work/search"; fail "zones are searched, also while typing"; fi

for flags in "" "--dark" "--no-script"; do
  # The longest name there is, in one word, asked for and explained: nothing may be wider than the screen.
  long=$(printf 'w%.0s' $(seq 63)).$(printf 'w%.0s' $(seq 63)).$(printf 'w%.0s' $(seq 63)).example
  # shellcheck disable=SC2086
  width=$(browse "$page?name=$long" --width 400 --height 844 $flags --value 'document.documentElement.scrollWidth')
  if [ "$width" = 400 ]; then pass "400 pixels hold the page${flags:+ ($flags)}"; else fail "400 pixels hold the page${flags:+ ($flags)}: $width"; fi
done
lines=$(browse "$page" --width 400 --value '[...document.querySelectorAll("#zones td:first-child")].map(one => Math.round(one.clientHeight / parseFloat(getComputedStyle(one).lineHeight))).reduce((a, b) => Math.max(a, b))')
if [ "$lines" = 1 ]; then pass "names of zones have a line each at 400 pixels"; else fail "names of zones have a line each at 400 pixels: $lines"; fi

browse "$page" --wait 1 --picture "$work/page.png"
if [ -s "$work/page.png" ]; then
  bytes=$(stat -c %s "$work/page.png")
  if [ "$bytes" -le 307200 ]; then pass "a picture of the page ($bytes bytes)"; else fail "a picture of the page ($bytes bytes)"; fi
  [ -z "${DNSD_SCREENSHOT:-}" ] || cp "$work/page.png" "$DNSD_SCREENSHOT"
else
  fail "a picture of the page"
fi
finish
