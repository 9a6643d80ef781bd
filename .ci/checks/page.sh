#!/usr/bin/env bash
# The status page in a real browser: it shows the zones, the load and the names that were asked for, script in a name stays text,
# and a narrow screen holds it. DNSD_SCREENSHOT=FILE keeps the picture.
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
cat >"$work/dnsd.json" <<JSON
{ "Dns": { "Listen": [ "127.0.0.1:$dns" ], "Identity": "ns1.example.net", "Admin": { "Listen": "127.0.0.1:$admin" },
    "Zones": [ { "Directory": "$root/zones" }, { "Name": "broken.example", "File": "broken.zone" } ] } }
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
    sock.sendto(struct.pack('!HHHHHH', random.randrange(65536), 0, 1, 0, 0, 0) + name + struct.pack('!HH', kind, 1), ('127.0.0.1', port))
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
browse() { # WIDTH,HEIGHT options: the page after its script has looked a few times
  local size=$1
  shift
  timeout 60 "$browser" --headless=new --no-sandbox --disable-gpu --disable-dev-shm-usage --hide-scrollbars --no-first-run \
    --user-data-dir="$work/browser" --window-size="$size" --virtual-time-budget=5000 "$@" "$page" 2>"$work/browser.log"
}
browse 1000,1400 --dump-dom >"$work/dom.html"
shows() { # what, and a pattern of the document
  if grep -qE "$2" "$work/dom.html"; then pass "the page shows $1"; else fail "the page shows $1"; fi
}
shows "who it is" '<span id="about">ns1\.example\.net · version'
shows "a zone that is served, with its serial" '<td class="t">example\.com\.</td><td class="good">serving</td><td class="n">[0-9]+</td>'
shows "a zone that is broken, and why" '<td class="t">broken\.example\.</td><td class="t bad">broken: '
shows "codes of answers" '<tr><td>NXDOMAIN</td><td class="n">[0-9.]+( k)?</td>'
shows "the most frequent name" '<table id="names"><tr><td class="t">www\.example\.com\.</td>'
shows "the client" '<table id="clients"><tr><td class="t">127\.0\.0\.1</td>'
shows "the load" '<svg id="rate"[^>]*><path d="M[0-9]'
shows "the error of the broken zone" '<table id="errors">.*broken'
shows "script in a name as text" '&lt;script&gt;document'
if grep -q '<title>dnsd ns1' "$work/dom.html" && ! grep -qE '<(script|img)[^>]*>document|<img' "$work/dom.html"
then pass "script in a name does not run"; else fail "script in a name does not run"; fi

if browse 1000,1500 --screenshot="$work/page.png" >/dev/null && [ -s "$work/page.png" ]; then
  bytes=$(stat -c %s "$work/page.png")
  if [ "$bytes" -le 307200 ]; then pass "a picture of the page ($bytes bytes)"; else fail "a picture of the page ($bytes bytes)"; fi
  [ -z "${DNSD_SCREENSHOT:-}" ] || cp "$work/page.png" "$DNSD_SCREENSHOT"
else
  tail -n 5 "$work/browser.log"
  fail "a picture of the page"
fi
# The same document, measured: nothing is wider than the screen, and names of zones are not broken into pieces.
python3 - "$work/dom.html" >"$work/phone.html" <<'PYTHON'
import re, sys
print(re.sub('<script>.*?</script>', '', open(sys.argv[1]).read(), flags=re.S))
print("""<script>
document.body.style.width = "360px"; // A window of the browser is never narrower than 500.
const names = [...document.querySelectorAll("#zones td:first-child")];
const lines = names.map(one => Math.round(one.clientHeight / parseFloat(getComputedStyle(one).lineHeight)));
document.title = `width ${document.body.scrollWidth} names ${names.length} lines ${Math.max(...lines)}`;
</script>""")
PYTHON
page="file://$work/phone.html" browse 500,800 --dump-dom >"$work/measured.html"
if grep -qE '<title>width 360 names [1-9][0-9]* lines 1<' "$work/measured.html"
then pass "names of zones have a line each at 360 pixels"
else fail "names of zones have a line each at 360 pixels ($(grep -o '<title>[^<]*' "$work/measured.html"))"; fi
browse 390,844 --screenshot="$work/phone.png" >/dev/null && [ -s "$work/phone.png" ] && pass "a picture on a telephone" || fail "a picture on a telephone"
[ -z "${DNSD_SCREENSHOT:-}" ] || cp "$work/phone.png" "${DNSD_SCREENSHOT%.png}-phone.png"
finish
