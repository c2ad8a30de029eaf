# SPDX-License-Identifier: GPL-3.0-or-later
"""Other programs read the store. libarchive, which knows WARC up to version 1.0, reads a copy whose
records say that version; they differ in nothing else. WARCIO names a directory with warcio of npm,
which reads the store as it is and checks its digests."""
import ctypes, glob, os, shutil, sys, zlib
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/web'))
from webtest import *

PAGES = 4
FEED = '<rss version="2.0"><channel><title>F</title>' + ''.join(
    f'<item><guid>g{i}</guid><title>Item {i}</title><description>walnut item{i}</description></item>' for i in range(2)) + '</channel></rss>'
bodies = {'/': '<p>walnut start ' + ' '.join(f'<a href="/{i}.html?q=1">{i}</a>' for i in range(PAGES))}
bodies |= {f'/{i}.html?q=1': f'<title>{i}</title><p>walnut page{i} ' + '\xe9\r\n\r\n ' * 50 for i in range(PAGES)}
site = Site({'/robots.txt': Page('', 404)} | {path: Page(body, Content_Type='text/html; charset=utf-8', X_Long='x' * 2000) for path, body in bodies.items()})
feed = Site({'/robots.txt': Page('', 404), '/feed': Page(FEED, Content_Type='application/rss+xml')})
configure_sources({site.origin + '/': {'kind': 'site'}, feed.origin + '/feed': {'kind': 'feed'}})
daemon = Daemon('-v')
wait_until('all is found', lambda: len(found('walnut')) == 1 + PAGES + 2, 60)
visit(site.origin + '/')
wait_until('a page is confirmed', lambda: len(site.asked('/')) == 2)
daemon.sync()
equal(len(found('walnut')), 1 + PAGES + 2, 'pages and items are stored')
daemon.stop()
stores = sorted(glob.glob(Daemon.index + '/web/*/*.warc.gz'))
equal(len(stores), 2, 'each source has a store')


def members(path):
    with open(path, 'rb') as f:
        data = f.read()
    while data:
        unpack = zlib.decompressobj(16 + zlib.MAX_WBITS)
        yield unpack.decompress(data)
        data = unpack.unused_data


def older(path):
    """A copy of the store, member by member, as WARC 1.0."""
    copy = f'{TMP}/{len(os.listdir(TMP))}.warc.gz'
    with open(copy, 'wb') as f:
        for record in members(path):
            assert record.startswith(b'WARC/1.1\r\n')
            f.write(gzip.compress(record.replace(b'WARC/1.1', b'WARC/1.0', 1)))
    return copy


# ---- libarchive

def library():
    try:
        la = ctypes.CDLL('libarchive.so.13')
    except OSError:
        return None
    la.archive_read_new.restype = ctypes.c_void_p
    la.archive_entry_pathname.restype = la.archive_error_string.restype = ctypes.c_char_p
    la.archive_read_data.restype = ctypes.c_ssize_t
    la.archive_entry_size.restype = ctypes.c_int64
    return la


def archived(la, path):
    """The entries that libarchive reads: (name, bytes); what is wrong raises. It pads what it reads, and
    takes an address that ends in a slash for a directory, which it leaves out."""
    archive, entry = ctypes.c_void_p(la.archive_read_new()), ctypes.c_void_p()
    la.archive_read_support_filter_gzip(archive)
    la.archive_read_support_format_warc(archive)
    status = la.archive_read_open_filename(archive, path.encode(), ctypes.c_size_t(10240))
    entries = []
    while status == 0:
        status = la.archive_read_next_header(archive, ctypes.byref(entry))
        if status == 0:
            buffer, data = ctypes.create_string_buffer(8192), b''
            while (n := la.archive_read_data(archive, buffer, ctypes.c_size_t(len(buffer)))) > 0:
                data += buffer.raw[:n]
            entries.append((la.archive_entry_pathname(entry).decode(), data[:la.archive_entry_size(entry)]))
    assert status == 1, la.archive_error_string(archive)
    la.archive_read_free(archive)
    return entries


la = library()
if la:
    pages = next(path for path in stores if b'page0' in b''.join(members(path)))
    entries = archived(la, older(pages))
    wanted = sorted(body.encode() for path, body in bodies.items() if path != '/')
    equal(sorted(data.split(b'\r\n\r\n', 1)[1] for _, data in entries), wanted, 'libarchive reads each page, byte for byte')
    items = archived(la, older(next(path for path in stores if path != pages)))
    equal(sorted(word for _, data in items for word in ('item0', 'item1') if word.encode() in data), ['item0', 'item1'], 'libarchive reads the items of a feed')
else:
    skip('libarchive', 'it is not there')
if shutil.which('bsdtar'):
    done = subprocess.run(['bsdtar', '-tf', older(stores[0])], capture_output=True, text=True)
    ok(done.returncode == 0 and done.stdout, 'bsdtar lists the store', done.stdout, done.stderr)
else:
    skip('bsdtar', 'it is not there')

# ---- warcio

PROGRAM = '''
const { WARCParser } = await import(process.argv[1]);
const fs = await import('node:fs');
for await (const record of new WARCParser(fs.createReadStream(process.argv[2]))) {
  const payload = await record.readFully(true);
  console.log(JSON.stringify([record.warcHeaders.statusline, record.warcType, record.warcTargetURI, record.warcHeaders.headers.get('WARC-Payload-Digest') || null, Buffer.from(payload).toString('base64')]));
}
'''
warcio = os.environ.get('WARCIO', '')
if shutil.which('node') and os.path.isdir(warcio):
    import base64, hashlib, json
    main = os.path.join(warcio, 'dist/index.js')
    got = {}
    for path in stores:
        done = subprocess.run(['node', '--input-type=module', '-e', PROGRAM, 'file://' + main, path], capture_output=True, text=True, timeout=60)
        ok(done.returncode == 0 and done.stdout, 'warcio reads the store', done.stderr)
        for line in done.stdout.splitlines():
            version, kind, uri, digest, payload = json.loads(line)
            payload = base64.b64decode(payload)
            if kind in ('response', 'resource'):
                equal((version, digest), ('WARC/1.1', 'sha256:' + base64.b32encode(hashlib.sha256(payload).digest()).decode()), f'warcio reads {kind} {uri[-12:]}')
            got.setdefault(kind, {})[uri] = payload
    equal({uri.removeprefix(site.origin): payload.decode() for uri, payload in got['response'].items() if uri.startswith(site.origin)}, bodies, 'warcio reads each page, byte for byte')
    ok('revisit' in got and 'warcinfo' in got, 'and records of other types', list(got))
else:
    skip('warcio', 'WARCIO names no directory with it')
finish()
