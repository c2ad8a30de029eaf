# SPDX-License-Identifier: GPL-3.0-or-later
"""The page of tarsier browse in a real browser, headless Chromium: typing, keyboard alone, roles and
labels, narrow and wide, without scripts, a hostile page and hostile documents, and the end."""
import http.server, os, struct, subprocess, sys, threading, zlib
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/ui-web'))
import chromium
from browsetest import *
if not chromium.program():
    skip_all('no Chromium is installed')
begin()

SCRIPT = '<script>alert(1)</script><img src=x onerror=alert(2)>'
doc('marmoset.txt', 'A marmoset eats apples in the garden of the zoo.\n\n' + 'Nothing is said in this line, nor in the next one.\n' * 80 + 'Another marmoset sleeps.\n')
doc('report.txt', 'The yearly report of the zoo: one more marmoset and two lemurs.\n')
doc('hostile.html', f'<title>{SCRIPT.replace("<", "&lt;")}</title><p>{SCRIPT.replace("<", "&lt;")} marmoset</p>')
doc('market.txt', 'The market has apples and pears, and no animals.\n')
index()
bin, opened = TMP + '/bin', TMP + '/opened'
os.makedirs(bin)
with open(bin + '/gio', 'w') as f:
    f.write(f'#!/bin/sh\nif [ "$1" = open ]; then printf "%s\\n" "$2" >"{opened}.part"; mv "{opened}.part" "{opened}"; fi\n')
os.chmod(bin + '/gio', 0o755)
page = Page(env={'PATH': bin + ':' + os.environ['PATH'], 'DISPLAY': ':nowhere'}, exchange=False)
try:
    b = chromium.Browser(TMP + '/chromium')
    b.go('about:blank#started')
except (EOFError, OSError, RuntimeError, TimeoutError) as error:
    skip_all(f'Chromium cannot be driven here: {error}')
keep(b.process)
TITLES = 'Array.from(document.querySelectorAll(".hit .title"), title => title.textContent)'
FOCUS = 'document.activeElement.closest(".hit")?.querySelector(".title").textContent || document.activeElement.id'


def problems():
    """What the browser has complained of: policies, errors of the script, dialogs."""
    return [entry['entry']['text'] for entry in b.said('Log.entryAdded')] + b.said('Runtime.exceptionThrown') + b.said('Page.javascriptDialogOpening')


# ---- the beginning
b.go(page.url)
equal((b.js('location.pathname + location.search'), b.js('document.activeElement.id')), ('/', 'q'), 'the token is not in the address, and the field has the focus')
equal(b.js('document.cookie'), '', 'no script sees the cookie')
equal(b.js('history.length <= 3'), True, 'nor does the history have the token')

# ---- typing
b.type('marm')
ok(b.until(TITLES + '.length === 3'), 'hits come while somebody types', b.js(TITLES))
ok(b.until('document.querySelectorAll(".passage mark").length >= 2'), 'passages with marks follow')
equal(b.js('location.search'), '', 'what is typed does not stand in the history')
ok(b.until('document.querySelector("#heard").textContent.includes("1–3 of 3")'), 'a screen reader is told the number')
b.js('''window.kept = window.fetch; window.late = [];
    window.fetch = (url, ...rest) => String(url).includes("q=mark&") ? new Promise(go => late.push(go)).then(() => kept(url, ...rest)) : kept(url, ...rest);''')
b.js('document.querySelector("#q").value = ""')
b.type('mark')
ok(b.until('late.length === 1'), 'an answer is held back')
b.type('et')
ok(b.until(TITLES + '.join() === "market.txt"'), 'the newer one is shown')
b.type('x')
b.js('document.querySelector("#q").value = "marm"; document.querySelector("#q").dispatchEvent(new Event("input"))')
ok(b.until(TITLES + '.length === 3'), 'and the one after it')
b.js('late.forEach(go => go())')
b.js('new Promise(go => setTimeout(go, 500))')
equal(b.js(TITLES + '.length'), 3, 'the older one that comes last does not take its place')
b.js('window.fetch = kept')
b.js('document.querySelector("#q").value = "size:big"; document.querySelector("#q").dispatchEvent(new Event("input"))')
ok(b.until('document.querySelector("#say").textContent.length > 5'), 'a fault while typing is told')
equal(b.js(TITLES + '.length'), 3, 'and the hits before it stay')

# ---- the keyboard alone
b.js('document.querySelector("#q").value = ""')
b.js('document.querySelector("#q").focus()')
b.type('marmoset')
b.key('Enter')
ok(b.until('location.search === "?q=marmoset"') and b.until('!!document.querySelector(".reading")'), 'Enter submits, and the address has the query')
order = b.js(TITLES)
b.key('ArrowDown')
equal(b.js(FOCUS), order[0], 'the arrow leads to the first hit')
b.key('j')
equal(b.js(FOCUS), order[1], 'j to the next one')
b.key('k')
b.key('ArrowUp')
equal(b.js(FOCUS), 'q', 'k and the arrow back to the field')
b.key('ArrowDown')
while b.js(FOCUS) != 'marmoset.txt':
    before = b.js(FOCUS)
    b.key('j')
    if b.js(FOCUS) == before:
        break
b.key('Enter')
ok(b.until('document.querySelectorAll("#preview .text mark").length === 2'), 'Enter shows the text with its matches')
equal(b.js('document.querySelector(".matches .at").textContent'), '1 / 2', 'the first one is the current one')
b.key('n')
equal(b.js('document.querySelector(".matches .at").textContent'), '2 / 2', 'n leads to the next')
ok(b.js('(() => { const r = document.querySelector("mark.current").getBoundingClientRect(); return r.top > 0 && r.bottom < innerHeight; })()'), 'which can be seen')
b.key('p')
equal(b.js('document.querySelector(".matches .at").textContent'), '1 / 2', 'p to the one before')
equal(b.js(FOCUS), 'marmoset.txt', 'the hit keeps the focus')
b.key('o')
ok(wait_until('the viewer is started', lambda: os.path.exists(opened)), 'o opens it')
equal(open(opened).read() if os.path.exists(opened) else '', DOCS + '/marmoset.txt\n', 'in the viewer')
b.key('Escape')
equal((b.js('document.querySelector("#preview").hidden'), b.js(FOCUS)), (True, 'marmoset.txt'), 'Escape closes the text and stays at the hit')
b.key('/')
equal(b.js('document.activeElement.id + String(getSelection())'), 'qmarmoset', '/ leads to the field and selects it')

# ---- from hit to hit
b.js('''window.kept = window.fetch; window.asked = [];
    window.fetch = (url, rest) => { asked.push([String(url), rest]); return String(url).startsWith("/text") || String(url).includes("/text?") ? new Promise(() => {}) : kept(url, rest); };''')
b.js('document.querySelector("#q").focus()')
b.key('ArrowDown')
b.key('Enter')
for i in range(2):
    b.js('Array.from(document.querySelectorAll(".hit .title"))[%d].click()' % i)
equal(b.js('asked.map(([url, rest]) => Boolean(rest?.signal?.aborted))'), [True, True, False], 'a text that nobody waits for any more is asked for no longer')
equal(b.js('new Set(asked.map(([url]) => new URL(url, location.href).searchParams.get("tab"))).size'), 1, 'and the program is told which ones follow each other')
ok(b.js('new URL(asked[0][0], location.href).searchParams.get("tab").length >= 8'), 'by a name of the window')
b.js('window.fetch = kept')
b.key('Escape')
b.key('/')

# ---- roles and labels
tree = b.call('Accessibility.getFullAXTree')['nodes']
roles = {(node['role']['value'], node.get('name', {}).get('value', '')) for node in tree if not node.get('ignored')}
for wanted in (('searchbox', 'Search'), ('search', ''), ('feed', 'Hits'), ('article', 'report.txt'), ('main', ''), ('banner', ''), ('contentinfo', ''), ('button', 'Open'), ('status', '')):
    ok(wanted in roles, f'a screen reader finds {wanted[0]} "{wanted[1]}"', sorted(roles))
ok(all(name for role, name in roles if role in ('button', 'link', 'searchbox', 'textbox', 'combobox')), 'whatever can be used has a name', sorted(roles))

# ---- narrow, wide, dark
b.key('ArrowDown')
b.key('Enter')
b.until('!!document.querySelector("#preview .text")')
for width in (320, 400, 800, 1280, 1900):
    b.size(width, 800)
    equal(b.js('document.documentElement.scrollWidth <= innerWidth'), True, f'at {width} pixels nothing is cut off')
equal(b.js('(() => { const a = document.querySelector("#answer").getBoundingClientRect(), p = document.querySelector("#preview").getBoundingClientRect(); return a.right <= p.left; })()'), True,
      'in a wide window the text stands beside the hits')
b.size(400, 800)
equal(b.js('document.querySelector("#answer").offsetHeight'), 0, 'in a narrow one in their place')
ok(b.js('document.querySelector("#preview .close").offsetHeight > 0'), 'with a way back')
b.js('document.querySelector("#preview .close").click()')
ok(b.js('document.querySelector("#answer").offsetHeight > 0'), 'which works')
light = b.js('getComputedStyle(document.documentElement).backgroundColor')
b.call('Emulation.setEmulatedMedia', features=[{'name': 'prefers-color-scheme', 'value': 'dark'}])
ok(b.js('getComputedStyle(document.documentElement).backgroundColor') != light, 'in the dark it is dark')
b.size(1280, 900)

# ---- hostile documents
hostile = next(title for title in order if 'script' in title)
b.js(f'Array.from(document.querySelectorAll("a.title")).find(a => a.textContent.includes("script")).click()')
ok(b.until('document.querySelector("#preview h1")?.textContent.includes("<script>")'), 'a hostile title is text', hostile)
equal(problems(), [], 'nothing in a document ran, and the page breaks none of its own rules')

# ---- thumbnails
chunk = lambda kind, data: struct.pack('>I', len(data)) + kind + data + struct.pack('>I', zlib.crc32(kind + data))
png = b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', struct.pack('>IIBBBBB', 200, 100, 8, 2, 0, 0, 0)) + chunk(b'IDAT', zlib.compress((b'\0' + b'\xff\0\0' * 100 + b'\0\0\xff' * 100) * 100)) + chunk(b'IEND', b'')
doc('capuchin-fine.png', png)
doc('capuchin-cut.png', png[:120])
doc('capuchin.txt', 'A capuchin stands in this line.\n')
index()
b.go(page.origin + '/?q=capuchin')
b.js('document.querySelectorAll("img").forEach(image => { image.loading = "eager"; })')
shown = 'Array.from(document.images, image => [image.closest(".hit").querySelector(".title").textContent, image.complete && image.naturalWidth, image.getBoundingClientRect().width, image.getBoundingClientRect().height])'
fine, cut = (f'{shown}.find(([title]) => title === "capuchin-{name}.png")' for name in ('fine', 'cut'))
if b.js(shown + '.length') and 'libpng' in subprocess.run(['ldd', os.path.join(os.environ['TARSIER_PLUGINS'], 'image.so')], capture_output=True, text=True).stdout:
    ok(b.until(f'{fine}?.[1] === 128 && document.images.length === 2 && Array.from(document.images).every(image => image.complete)'), 'a picture has a thumbnail', b.js(shown))
    equal(b.js(fine)[2:], [64, 64], 'in the room that it was given')
    equal(b.js(cut)[1:], [1, 64, 64], 'what cannot be drawn has an empty one, and no sign of damage')
    roles = {node['role']['value'] for node in b.call('Accessibility.getFullAXTree')['nodes'] if not node.get('ignored')}
    ok(not roles & {'image', 'img'}, 'a screen reader passes over them', sorted(roles))
    for width in (320, 400, 1280):
        b.size(width, 800)
        equal(b.js('document.documentElement.scrollWidth <= innerWidth'), True, f'at {width} pixels nothing is cut off')
    equal([text for text in problems() if '404' not in text], [], 'they break no rule of the page')
    if os.environ.get('TARSIER_PICTURE'):
        b.picture(os.environ['TARSIER_PICTURE'])
else:
    skip('a picture has a thumbnail', 'tarsier was built without Exiv2 or libpng')
b.events.clear()

# ---- the pages that are not a search
doc('<b>broken.pdf', b'%PDF-1.4 and nothing else')
index()
one = b.js('document.querySelector(".hit").dataset.id')
for view, heading in (('/status', 'Status'), ('/failed', 'Failures'), ('/usage', 'Disk use and copies')):
    b.go(page.origin + view)
    equal(b.js('document.querySelector("h1").textContent'), heading, f'{view} comes')
    tree = b.call('Accessibility.getFullAXTree')['nodes']
    roles = {(node['role']['value'], node.get('name', {}).get('value', '')) for node in tree if not node.get('ignored')}
    ok({('heading', heading), ('navigation', 'About the index'), ('table', ''), ('link', heading)} <= roles and any(role == 'rowheader' for role, _ in roles), 'a screen reader finds its heading, links and table', sorted(roles))
    ok(all(name for role, name in roles if role in ('button', 'link', 'rowheader')), 'which all have names', sorted(roles))
    for width in (320, 400, 1280):
        b.size(width, 800)
        equal(b.js('document.documentElement.scrollWidth <= innerWidth'), True, f'at {width} pixels nothing is cut off')
b.js('document.querySelector("#q").focus()')
for i in range(20):
    b.key('Tab')
    if b.js('document.activeElement.closest(".view tbody") !== null'):
        break
b.key('Enter')
ok(b.until('location.search.startsWith("?node=")') and b.until('!!document.querySelector(".way")'), 'by the keyboard alone one goes into a directory')
equal(problems(), [], 'and these pages break no rule of their own either')
b.go(page.origin + '/?q=marmoset')

# ---- a hostile page in the same browser
evil = f'''<iframe src="{page.origin}/?q=marmoset"></iframe><img src="{page.origin}/icon.svg" onload="seen.push('image')"><script>
var seen = [];
async function attack() {{
    for (const mode of ['cors', 'no-cors', 'same-origin'])
        for (const method of ['GET', 'POST'])
            try {{ const r = await fetch('{page.origin}' + (method === 'GET' ? '/hits?q=marmoset' : '/open'), {{method, mode, credentials: 'include', body: method === 'POST' ? new URLSearchParams({{id: '{{ID}}'}}) : undefined}});
                if (r.ok || (await r.text()).length) seen.push(mode + method + r.status); }} catch (e) {{}}
    const s = document.createElement('script'); s.src = '{page.origin}/page.js'; s.onload = () => seen.push('script'); document.body.append(s);
    await new Promise(go => setTimeout(go, 500));
    return seen;
}}
function post() {{ document.forms[0].submit(); }}
</script><form method="post" action="{page.origin}/open"><input name="id" value="{{ID}}"></form><a href="{page.origin}/?q=marmoset">click</a>'''


class Evil(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header('Content-Type', 'text/html')
        self.end_headers()
        self.wfile.write(evil.replace('{ID}', one).encode())

    def log_message(self, *arguments):
        pass


server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Evil)
threading.Thread(target=server.serve_forever, daemon=True).start()
os.unlink(opened)
for name in ('127.0.0.1', 'localhost'):
    b.go(f'http://{name}:{server.server_port}/')
    equal(b.js('attack()'), [], f'a page of {name} gets nothing by any request')
    equal(b.js('(() => { try { return frames[0].document.body.textContent.length; } catch (e) { return 0; } })()'), 0, 'nor by a frame')
    b.js('post()')
    b.until(f'location.port === "{page.port}"')
    ok('marmoset' not in b.js('document.body.innerText'), 'nor by a form', b.js('document.body.innerText'))
    b.go(f'http://{name}:{server.server_port}/')
    b.js('document.querySelector("a").click()')
    b.until(f'location.port === "{page.port}"')
    ok('marmoset' not in b.js('document.body.innerText'), 'and its link leads nowhere', b.js('document.body.innerText'))
ok(not os.path.exists(opened), 'nothing was opened')
server.shutdown()

# ---- the end
b.go(page.origin + '/?q=marmoset')
equal(len(b.js(TITLES)), 3, 'a person who types the address is answered')
plain = Page(exchange=False)
b.call('Emulation.setScriptExecutionDisabled', value=True)
b.go(plain.url)
b.go(plain.origin + '/?q=lemurs')
ok(b.until('document.querySelectorAll(".hit").length === 1'), 'without scripts the hits are there')
b.call('Emulation.setScriptExecutionDisabled', value=False)
plain.end()
b.go(page.origin + '/?q=marmoset')
b.js('new Promise(go => setTimeout(go, 300))')
b.close_window()
try:
    code = page.process.wait(60)
except subprocess.TimeoutExpired:
    code = 'it goes on'
equal(code, 0, 'when the window is closed the program ends')
b.end()
finish()
