# SPDX-License-Identifier: GPL-3.0-or-later
"""What a site changed or took back leaves the store with a scrub, also when the daemon is killed in
it; every other page stays readable. A damaged store is found, told by `check`, and fetched again."""
import base64, glob, hashlib, os, random, sys, zlib
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/web'))
from webtest import *

text = {name: f'walnut {name} ' + ' '.join(f'{name}{i}' for i in range(300)) for name in ('stays', 'changes', 'gone', 'hidden')}
site = Site({'/robots.txt': Page('', 404)})
start = site.origin + '/'
paths = {name: f'/{name}.html' for name in text}
site.pages['/'] = Page('<p>walnut start ' + ' '.join(f'<a href="{path}">{name}</a>' for name, path in paths.items()), ETag='"start"')
for name, path in paths.items():
    site.pages[path] = Page(f'<title>{name}</title><p>{text[name]}', ETag=f'"{name}1"')
urls = {name: start + path[1:] for name, path in paths.items()}


def members(path):
    """The gzip members of a file, read without our code."""
    data = open(path, 'rb').read()
    while data:
        unpack = zlib.decompressobj(16 + zlib.MAX_WBITS)
        record = unpack.decompress(data)
        assert unpack.eof, f'{path} has a torn member'
        data = unpack.unused_data
        yield record


def records():
    """Reads all records as WARC 1.1 says: type, address and payload. A fault in one raises."""
    for path in stores():
        for record in members(path):
            head, block = record.split(b'\r\n\r\n', 1)
            version, *lines = head.split(b'\r\n')
            facts = {key.lower(): value.strip() for key, value in (line.split(b':', 1) for line in lines)}
            assert version == b'WARC/1.1' and block.endswith(b'\r\n\r\n'), record[:200]
            block = block[:-4]
            assert int(facts[b'content-length']) == len(block), facts
            payload = block.split(b'\r\n\r\n', 1)[1] if facts[b'warc-type'] == b'response' else block
            if facts[b'warc-type'] in (b'response', b'resource'):
                digest = b'sha256:' + base64.b32encode(hashlib.sha256(payload).digest())
                assert facts[b'warc-payload-digest'] == digest, facts
            yield facts[b'warc-type'].decode(), facts.get(b'warc-target-uri', b'').decode(), payload


def stores():
    return sorted(glob.glob(Daemon.index + '/web/*/*.warc.gz'))


def kept(word):
    return [uri for _, uri, payload in records() if word.encode() in payload]


def compact():
    return subprocess.run(['tarsier', 'compact', '--scrub', '-q'], capture_output=True, text=True)


def shown(name):
    return subprocess.run(['tarsier', 'show', urls[name]], capture_output=True, text=True).stdout


def answered(path, n):
    """Has the page been asked so many times, and is no request left without its answer?"""
    return len(site.asked(path)) >= n and query('SELECT count(*) FROM web_host WHERE asked IS NOT NULL') == [(0,)]


configure_sources({start: {'kind': 'site'}})
daemon = Daemon('-v')
soon('all pages are found', [start, *urls.values()], 'walnut')

site.pages[paths['changes']] = Page(f'<title>changes</title><p>walnut almond {text["stays"][::-1]}', ETag='"changes2"')
site.pages[paths['gone']] = Page('', 404)
site.pages[paths['hidden']] = Page('<meta name="robots" content="noindex"><p>nothing', ETag='"hidden2"')
visit(start, *urls.values())
wait_until('each page is asked again', lambda: all(answered(path, 2) for path in ('/', *paths.values())), 60)
soon('what is gone or hidden is found no more', [start, urls['changes'], urls['stays']], 'walnut')
soon('what changed is found', [urls['changes']], 'almond')
daemon.sync()
equal([bool(kept(word)) for word in ('changes7', 'gone7', 'hidden7')], [True] * 3, 'the store has the old pages before a scrub')
equal(compact().returncode, 0, 'a scrub exits with 0')
for word in ('changes7', 'gone7', 'hidden7'):
    equal(kept(word), [], f'no record has {word} after a scrub')
equal(sorted((kind, uri) for kind, uri, _ in records()), [('response', start), ('response', urls['changes']), ('response', urls['stays']), ('warcinfo', '')],
      'the store has the live pages and nothing else')
ok('stays7' in shown('stays') and 'almond' in shown('changes'), 'live pages can be shown after a scrub')
equal([subprocess.run(['gzip', '-t', path]).returncode for path in stores()], [0], 'gzip reads what is left')

# ---- kills during a scrub
rng = random.Random(int(os.environ.get('KILLS_SEED', 7)))
for i in range(int(os.environ.get('KILLS', 4))):
    before = len(site.asked(paths['changes']))
    site.pages[paths['changes']] = Page(f'<title>changes</title><p>walnut almond round{i} {rng.random()}', ETag=f'"round{i}"')
    visit(urls['changes'])
    wait_until('the page is asked', lambda: answered(paths['changes'], before + 1), 30)
    soon(f'change {i} is found', [urls['changes']], f'round{i}')
    scrub = subprocess.Popen(['tarsier', 'compact', '--scrub', '-q'], stderr=subprocess.DEVNULL)
    let_time_pass(rng.random() * 0.05, 'the daemon dies in the middle of a scrub')
    daemon.stop(signal.SIGKILL)
    scrub.wait(100)
    daemon = Daemon('-v')
    ok('stays7' in shown('stays') and f'round{i}' in shown('changes'), f'every page can be shown after kill {i}')
equal(compact().returncode, 0, 'a scrub after the kills exits with 0')
equal(sorted(kind for kind, _, _ in records()), ['response'] * 3 + ['warcinfo'], 'nothing dead is left after the kills')

# ---- a store that cannot be read
equal(subprocess.run(['tarsier', 'check'], capture_output=True).returncode, 0, 'check finds nothing in a sound store')
store = os.path.dirname(stores()[-1])
os.rename(store, store + '.away')
open(store, 'w').close()
done = subprocess.run(['tarsier', 'check'], capture_output=True, text=True)
ok(done.returncode == 5 and f"{urls['stays']}: its stored page cannot be read" in done.stdout, 'check names the pages of a store that cannot be read', done)
ok(' differ from the file system' in done.stderr, 'and goes on', done.stderr)
os.unlink(store)
os.rename(store + '.away', store)

# ---- damage
file, offset, length = query('SELECT file, offset, length FROM web_page WHERE url = ?', urls['stays'])[0]
with open(f'{store}/{file:08}.warc.gz', 'r+b') as f:
    f.seek(offset + length // 2)
    byte = f.read(1)[0]
    f.seek(offset + length // 2)
    f.write(bytes([byte ^ 1]))
done = subprocess.run(['tarsier', 'check'], capture_output=True, text=True)
ok(done.returncode != 0 and urls['stays'] in done.stdout, 'check names the damaged page', done)
equal(found('stays7'), [urls['stays']], 'a damaged page is still found')
equal(shown('stays'), '', 'a damaged page shows nothing')


n = len(site.asked(paths['stays']))
visit(urls['stays'])
wait_until('the damaged page is asked', lambda: answered(paths['stays'], n + 1), 30)
request_headers, status = site.asked(paths['stays'])[-1][2:]
ok('If-None-Match' not in request_headers and status == 200, 'it is asked without a condition', request_headers)
wait_until('it is readable again', lambda: 'stays7' in shown('stays'), 30)
ok('stays7' in shown('stays'), 'a damaged page can be shown after the visit')
equal(subprocess.run(['tarsier', 'check'], capture_output=True).returncode, 0, 'check finds nothing afterwards')

# ---- a source that is removed
configure_sources({})
reload()
wait_until('its store is removed', lambda: not stores(), 30)
equal(stores(), [], 'a removed source leaves no store')
daemon.stop()
finish()
