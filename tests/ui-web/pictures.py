# SPDX-License-Identifier: GPL-3.0-or-later
"""Thumbnails on the page of tarsier browse: which hits have one, what it looks like, who gets it,
and files that are too large, broken, or others than those that were indexed."""
import glob, io, os, pwd, shutil, struct, subprocess, sys, threading, zipfile, zlib
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/ui-web'))
from browsetest import *
begin()
RED, BLUE, WHITE = (255, 0, 0), (0, 0, 255), (255, 255, 255)


# ---- pictures
def chunk(kind, data):
    return struct.pack('>I', len(data)) + kind + data + struct.pack('>I', zlib.crc32(kind + data))


def png(width, height, rows, colour=2, depth=8, rest=b''):
    head = struct.pack('>IIBBBBB', width, height, depth, colour, 0, 0, 0)
    return b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', head) + rest + chunk(b'IDAT', zlib.compress(b''.join(b'\0' + row for row in rows))) + chunk(b'IEND', b'')


def halves(width, height, left=RED, right=BLUE, size=0):
    """size: of the file in bytes; 0: any."""
    rows = [bytes(left) * (width // 2) + bytes(right) * (width - width // 2)] * height
    rest = chunk(b'tEXt', b'Comment\0' + b'x' * (size - len(png(width, height, rows)) - 20)) if size else b''
    return png(width, height, rows, rest=rest)


class Bits:
    def __init__(self):
        self.text = ''

    def bytes(self):
        filled = self.text + '1' * (-len(self.text) % 8)
        return bytes(int(filled[i:i + 8], 2) for i in range(0, len(filled), 8)).replace(b'\xff', b'\xff\0')


def jpeg(width, height, orientation=0, big=True, ink=False):
    """Baseline JPEG (ITU-T T.81), left red, right blue, in blocks of one colour: of each, only the mean is coded. ink: in cyan, magenta, yellow and black, inverted."""
    def segment(marker, data):
        return b'\xff' + bytes([marker]) + struct.pack('>H', len(data) + 2) + data

    exif = b''
    if orientation:
        order = '>' if big else '<'
        exif = segment(0xe1, b'Exif\0\0' + (b'MM' if big else b'II') + struct.pack(order + 'HIHHHIHHI', 42, 8, 1, 0x0112, 3, 1, orientation, 0, 0))
    counts = bytes([0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0])
    codes, code, value = {}, 0, 0
    for length, n in enumerate(counts, 1):
        for _ in range(n):
            codes[value] = format(code, f'0{length}b')
            code, value = code + 1, value + 1
        code <<= 1
    kinds = range(1, 5 if ink else 4)
    head = segment(0xee, b'Adobe\0\x64\0\0\0\0\0') if ink else b''
    head += segment(0xdb, b'\0' + bytes([8] * 64)) + segment(0xc0, struct.pack('>BHHB', 8, height, width, len(kinds)) + b''.join(bytes([kind, 0x11, 0]) for kind in kinds))
    head += segment(0xc4, b'\0' + counts + bytes(range(12))) + segment(0xc4, b'\x10' + bytes([1]) + bytes(15) + b'\0')
    head += segment(0xda, bytes([len(kinds)]) + b''.join(bytes([kind, 0]) for kind in kinds) + b'\0\x3f\0')
    bits, before = Bits(), [0] * 4
    red, blue = ((255, 0, 0, 255), (0, 0, 255, 255)) if ink else ((76, 85, 255), (29, 255, 107))
    for y in range((height + 7) // 8):
        for x in range((width + 7) // 8):
            for k, part in enumerate(red if 8 * x < width // 2 else blue):
                mean = part - 128
                difference, before[k] = mean - before[k], mean
                size = abs(difference).bit_length()
                bits.text += codes[size] + (format(difference if difference > 0 else difference + (1 << size) - 1, f'0{size}b') if size else '') + '0'
    return b'\xff\xd8' + exif + head + bits.bytes() + b'\xff\xd9'


def pdf(width, height, content, rest=''):
    return (f'%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n'
            f'3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 {width} {height}]/Contents 4 0 R/Resources<</Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>{rest}>>endobj\n'
            f'4 0 obj<</Length {len(content)}>>stream\n{content}\nendstream endobj\ntrailer<</Root 1 0 R/Size 5>>\n').encode()


def package(parts):
    out = io.BytesIO()
    with zipfile.ZipFile(out, 'w') as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    return out.getvalue()


def letter(picture):
    """OpenDocument with this file as its picture."""
    return package({'mimetype': 'application/vnd.oasis.opendocument.text', 'content.xml': f'<a>marmoset {len(picture)}</a>', 'Thumbnails/thumbnail.png': picture})


def fixture(name):
    for place in ('tests/extractors/data', 'tests/fuzz/seeds/picture'):
        path = os.path.join(os.environ['abs_top_srcdir'], place, name)
        if os.path.exists(path):
            with open(path, 'rb') as f:
                return f.read()
    raise FileNotFoundError(name)


class Picture:
    """A PNG as tarsier-browse writes it: 8 bits a colour, no filters. Anything else is an error."""

    def __init__(self, data):
        assert data.startswith(b'\x89PNG\r\n\x1a\n'), data[:20]
        at, kinds, self.rows = 8, [], b''
        while at < len(data):
            length, kind = struct.unpack('>I4s', data[at:at + 8])
            part = data[at + 8:at + 8 + length]
            assert struct.unpack('>I', data[at + 8 + length:at + 12 + length])[0] == zlib.crc32(kind + part), kind
            kinds.append(kind)
            if kind == b'IHDR':
                self.width, self.height, *form = struct.unpack('>IIBBBBB', part)
                assert form == [8, 2, 0, 0, 0], form
            self.rows += part if kind == b'IDAT' else b''
            at += 12 + length
        assert kinds == [b'IHDR', b'IDAT', b'IEND'], kinds
        self.rows = zlib.decompress(self.rows)
        assert len(self.rows) == (1 + 3 * self.width) * self.height and not any(self.rows[y * (1 + 3 * self.width)] for y in range(self.height))

    @property
    def size(self):
        return self.width, self.height

    def at(self, x, y):
        """x and y: 0 to 1."""
        start = min(int(y * self.height), self.height - 1) * (1 + 3 * self.width) + 1 + 3 * min(int(x * self.width), self.width - 1)
        return tuple(self.rows[start:start + 3])

    def all(self):
        return {tuple(self.rows[y * (1 + 3 * self.width) + 1 + 3 * x:][:3]) for y in range(self.height) for x in range(self.width)}


def is_near(colour, wanted):
    return all(abs(a - b) < 24 for a, b in zip(colour, wanted))


optional = subprocess.run(['ldd', os.path.join(os.environ['TARSIER_PLUGINS'], 'image.so')], capture_output=True, text=True).stdout
HAS_PNG, HAS_JPEG = 'exiv2' in optional and 'libpng' in optional, 'exiv2' in optional and 'libjpeg' in optional
HAS_WEBP, HAS_GIF = 'exiv2' in optional and 'libwebpdemux' in optional, 'exiv2' in optional and 'libgif' in optional
if not (HAS_PNG and HAS_JPEG):
    skip_all('tarsier was built without Exiv2, libjpeg or libpng')

doc('marmoset-wide.png', halves(300, 200))
doc('marmoset-high.png', halves(100, 1000))
doc('marmoset-small.png', halves(4, 2))
doc('marmoset-dot.png', png(1, 1, [bytes(BLUE)]))
doc('marmoset-long.png', png(20000, 1, [bytes(RED) * 10000 + bytes(BLUE) * 10000]))
doc('marmoset-clear.png', png(64, 64, [bytes(RED + (255,)) * 32 + bytes(BLUE + (0,)) * 32] * 64, 6))
doc('marmoset-deep.png', png(64, 64, [b'\xff\xff\0\0\0\0' * 32 + b'\0\0\0\0\xff\xff' * 32] * 64, 2, 16))
doc('marmoset-indexed.png', png(64, 64, [b'\0\0\0\0\xff\xff\xff\xff'] * 64, 3, 1, chunk(b'PLTE', bytes(RED + BLUE))))
doc('marmoset-plain.jpg', jpeg(320, 160))
doc('marmoset-ink.jpg', jpeg(320, 160, ink=True))
for turn in range(1, 10):
    doc(f'marmoset-turn{turn}.jpg', jpeg(320, 160, turn, big=turn % 2 == 0))
doc('marmoset-page.pdf', pdf(200, 100, '1 0 0 rg 0 0 100 100 re f 0 0 1 rg 100 0 100 100 re f BT/F 1 Tf(marmoset)Tj ET'))
doc('marmoset-upright.pdf', pdf(200, 100, '1 0 0 rg 0 0 100 100 re f 0 0 1 rg 100 0 100 100 re f', '/Rotate 90'))
doc('marmoset-words.pdf', pdf(200, 100, 'BT/F 90 Tf 10 10 Td(MMMM)Tj ET'))
doc('marmoset.txt', 'A marmoset eats apples in the garden.\n')
doc('marmoset.svg', '<svg xmlns="http://www.w3.org/2000/svg"><text>marmoset</text></svg>')
for name in ('clear.webp', 'lossy.webp', 'moving.webp', 'turned.webp', 'clear.gif', 'rows.gif', 'cover.epub', 'cover-old.epub', 'picture.odt', 'picture.docx', 'text.odt', 'text.docx', 'tales.epub'):
    doc('marmoset-' + name, fixture({'epub': 'epub-', 'odt': 'odf-', 'docx': 'ooxml-'}.get(name.split('.')[1], '') + name))
doc('marmoset-photo.odt', letter(jpeg(320, 160, 6)))
doc('marmoset-named.png', 'A text that is called like a picture.\n')
# too large, broken, hostile
head = struct.pack('>IIBBBBB', 100000, 100000, 8, 2, 0, 0, 0)
doc('marmoset-bomb.png', b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', head) + chunk(b'IDAT', zlib.compress(bytes(10 << 20))) + chunk(b'IEND', b''))
doc('marmoset-huge.jpg', jpeg(16, 16).replace(struct.pack('>HH', 16, 16), struct.pack('>HH', 65000, 65000), 1))
doc('marmoset-cut.webp', fixture('lossy.webp')[:150])
doc('marmoset-huge.webp', fixture('lossy.webp').replace(struct.pack('<HH', 320, 160), struct.pack('<HH', 16383, 16383), 1))
doc('marmoset-cut.gif', fixture('rows.gif')[:60])
doc('marmoset-huge.gif', fixture('rows.gif').replace(struct.pack('<HH', 32, 32), struct.pack('<HH', 65535, 65535)))
doc('marmoset-nested.odt', letter(letter(halves(64, 64))))
doc('marmoset-page.odt', letter(pdf(200, 100, '1 0 0 rg 0 0 200 100 re f')))
doc('marmoset-bomb.odt', letter(b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', struct.pack('>IIBBBBB', 100000, 100000, 8, 2, 0, 0, 0)) + chunk(b'IEND', b'')))
doc('marmoset-endless.odt', package({'mimetype': 'application/vnd.oasis.opendocument.text', 'content.xml': '<a>marmoset endless</a>'})[:-22] + b'PK')
doc('marmoset-outside.docx', package({'[Content_Types].xml': '<Types/>', 'word/document.xml': '<a/>', '_rels/.rels': '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
    '<Relationship Id="a" Type="http://x/officeDocument" Target="word/document.xml"/><Relationship Id="b" Type="http://x/thumbnail" Target="/../../../../etc/passwd"/></Relationships>'}))
doc('marmoset-cut.png', halves(300, 200)[:200])
doc('marmoset-empty.png', b'\x89PNG\r\n\x1a\n')
doc('marmoset-wrong.jpg', b'\xff\xd8\xff\xe0\0\x10JFIF\0\1\1\0\0\1\0\1\0\0' + bytes(range(256)) * 4)
doc('marmoset-exif.jpg', jpeg(320, 160, 6).replace(b'MM\0*\0\0\0\x08', b'MM\0*\xff\xff\xff\xf8', 1))
doc('marmoset-damaged.pdf', b'%PDF-1.4\nnothing more')
doc('marmoset-boundless.pdf', pdf('99999999999', '1', ''))
doc('marmoset-endless.pdf', pdf(100, 100, '/X Do', '').replace(b'/Font<<', b'/XObject<</X 5 0 R>>/Font<<', 1).replace(
    b'trailer', b'5 0 obj<</Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</X 5 0 R>>>>/Length 12>>stream\n/X Do /X Do \nendstream endobj\ntrailer'))
doc('marmoset-slow.pdf', pdf(100, 100, '[1 1] 0 d 0 0 m ' + ' '.join(f'{i % 97}{i % 7}00 {i % 89}{i % 11}00 l' for i in range(400000)) + ' S'))
for i, name in enumerate(('changed', 'gone', 'linked', 'swapped', 'redrawn')): # equal files would be one hit
    doc(f'marmoset-{name}.png', halves(300, 201 + i, size=4000))
doc('sub/marmoset-below.png', halves(300, 210))
doc('marmoset-private.png', halves(300, 211))
outside = TMP + '/outside.png'
with open(outside, 'wb') as f:
    f.write(halves(300, 204, size=4000))
index()
page = Page()


def hits_of(query, p):
    hits = re.findall(r'<article class="hit".*?</article>', page.search(query, sort='name', p=p).text, re.S)
    return {found[1]: hit for hit in hits if (found := re.search(r'class="path">[^<]*/([^/<]*)</p>', hit))} # not of members


HIT = {name: hit for p in range(1, 6) for name, hit in hits_of('marmoset', p).items()}
for name in set(os.listdir(DOCS)) - set(HIT): # documents with the same text are one hit
    HIT.update({found: hit for found, hit in hits_of(f'filename:"{name}"', 1).items() if found == name})
ID = {name: re.search(r'data-id="([^"]*)"', hit)[1] for name, hit in HIT.items()}
BLANK = b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', struct.pack('>IIBBBBB', 1, 1, 8, 4, 0, 0, 0)) + chunk(b'IDAT', zlib.compress(b'\0\0\0', 9)) + chunk(b'IEND', b'')
NONE = chunk(b'IHDR', struct.pack('>IIBBBBB', 1, 1, 8, 2, 0, 0, 0)) + chunk(b'IDAT', zlib.compress(b'\0\1\2\3')) + chunk(b'IEND', b'')


def picture(name, **headers):
    return page.get('/picture?id=' + ID[name], **headers)


def drawn(name):
    reply = picture(name)
    if reply.status != 200:
        ok(False, f'{name} is drawn', reply.status, reply.body)
        return Picture(b'\x89PNG\r\n\x1a\n' + NONE)
    return Picture(reply.body)


# ---- which hits have one
has = lambda name: '<img class="thumbnail"' in HIT[name]
equal([name for name in ('marmoset-wide.png', 'marmoset-plain.jpg', 'marmoset-page.pdf', 'marmoset-picture.odt', 'marmoset-picture.docx', 'marmoset-cover.epub') if not has(name)], [],
      'pictures and documents have a thumbnail')
equal([has('marmoset-lossy.webp'), has('marmoset-rows.gif')], [HAS_WEBP, HAS_GIF], 'so have pictures whose library is optional')
equal([name for name in ('marmoset.txt', 'marmoset.svg', 'marmoset-named.png') if has(name)], [], 'texts, other types and a text that is called like a picture have none')
tag = re.search('<img[^>]*>', HIT['marmoset-wide.png'])[0]
equal(tag, f'<img class="thumbnail" src="/picture?id={ID["marmoset-wide.png"]}" alt="" width="64" height="64" loading="lazy" decoding="async">', 'it is loaded late, takes its room at once, and is passed over by screen readers')
equal('<img' in page.hits('marmoset', typed=1).text, False, 'while somebody types there are none')
equal('<img' in page.hits('marmoset', typed=1, passages=1).text, True, 'after that they come with the passages')
equal(page.get('/text?id=' + ID['marmoset-wide.png']).text.count('<img'), 1, 'the text of a document has it too')

# ---- what it looks like
reply = picture('marmoset-wide.png')
equal((reply.status, reply.headers['content-type']), (200, 'image/png'), 'it is a PNG')
equal((reply.headers['x-content-type-options'], reply.headers['cache-control'], "default-src 'none'" in reply.headers['content-security-policy']), ('nosniff', 'no-store', True), 'which is neither kept nor taken for something else')
for name, size in (('wide.png', (128, 85)), ('high.png', (12, 128)), ('small.png', (4, 2)), ('long.png', (128, 1)), ('deep.png', (64, 64)), ('indexed.png', (64, 64)),
                   *((('lossy.webp', (128, 64)), ('moving.webp', (128, 64))) if HAS_WEBP else ()), *((('rows.gif', (32, 32)),) if HAS_GIF else ()),
                   ('picture.odt', (64, 64)), ('picture.docx', (64, 64)), ('cover.epub', (64, 64)), ('cover-old.epub', (64, 64)), ('plain.jpg', (128, 64)), ('ink.jpg', (128, 64)), ('page.pdf', (128, 64)), ('exif.jpg', (128, 64))):
    image = drawn('marmoset-' + name)
    ok(image.size == size and is_near(image.at(.2, .5), RED) and is_near(image.at(.8, .5), BLUE), f'{name} is small and as it should be', image.size, image.at(.2, .5), image.at(.8, .5))
equal((drawn('marmoset-dot.png').size, drawn('marmoset-dot.png').at(0, 0)), ((1, 1), BLUE), 'a single dot stays one')
for name in ('clear.png', *(('clear.webp',) if HAS_WEBP else ()), *(('clear.gif',) if HAS_GIF else ())):
    image = drawn('marmoset-' + name)
    equal((image.at(.2, .5), image.at(.8, .5)), (RED, WHITE), f'what is transparent is white ({name})')
for name in ('photo.odt', *(('turned.webp',) if HAS_WEBP else ())):
    image = drawn('marmoset-' + name)
    ok(image.size == (64, 128) and is_near(image.at(.5, .1), RED) and is_near(image.at(.5, .9), BLUE), f'{name} is turned as its camera says', image.size, image.at(.5, .1))
image = drawn('marmoset-upright.pdf')
ok(image.size == (64, 128) and is_near(image.at(.5, .2), RED) and is_near(image.at(.5, .8), BLUE), 'a page is turned as it says', image.size, image.at(.5, .2))
# CIPA DC-008: where the left edge of the stored picture is shown
for turn, edge in {1: 'left', 2: 'right', 3: 'right', 4: 'left', 5: 'top', 6: 'top', 7: 'bottom', 8: 'bottom', 9: 'left'}.items():
    image = drawn(f'marmoset-turn{turn}.jpg')
    spots = {'left': (.1, .5), 'right': (.9, .5), 'top': (.5, .1), 'bottom': (.5, .9)}
    opposite = {'left': 'right', 'right': 'left', 'top': 'bottom', 'bottom': 'top'}[edge]
    ok(image.size == ((128, 64) if edge in ('left', 'right') else (64, 128)) and is_near(image.at(*spots[edge]), RED) and is_near(image.at(*spots[opposite]), BLUE),
       f'a photo is turned as its camera says ({turn})', image.size, image.at(*spots[edge]))
level = subprocess.run(['tarsier', 'doctor'], capture_output=True, text=True).stdout
if any(glob.glob('/usr/share/fonts/**/*.' + kind, recursive=True) for kind in ('ttf', 'otf', 'pfb', 't1')) and 'full' in level:
    dark = [colour for colour in drawn('marmoset-words.pdf').all() if max(colour) < 96]
    ok(dark, 'letters of a font that the document does not have are drawn')
else:
    skip('letters of a font that the document does not have are drawn', 'there are no fonts, or no sandbox that lets them be read')

# ---- what cannot be drawn
for name in ('text.odt', 'text.docx', 'tales.epub', 'nested.odt', 'page.odt', 'bomb.odt', 'endless.odt', 'outside.docx', 'cut.webp', 'huge.webp', 'cut.gif', 'huge.gif', 'bomb.png', 'huge.jpg', 'cut.png', 'empty.png', 'wrong.jpg', 'damaged.pdf', 'boundless.pdf'):
    name = 'marmoset-' + name
    reply = picture(name)
    equal((reply.status, reply.body, reply.headers['content-type']), (404, BLANK, 'image/png'), f'{name} has no thumbnail, and no sign of damage')
reply = picture('marmoset-endless.pdf')
ok(reply.status in (200, 404), 'a page that draws itself ends', reply.status)
start = time.monotonic()
slow = page.get('/picture?id=' + ID['marmoset-slow.pdf'])
took = time.monotonic() - start
ok(slow.status == 404 and took < 60, 'a page with millions of dashes is given up', slow.status, took)
equal(drawn('marmoset-wide.png').size, (128, 85), 'others are drawn afterwards')
for name in ('marmoset.txt', 'marmoset.svg', 'marmoset-named.png'):
    equal((picture(name).status, picture(name).body), (404, BLANK), f'{name} is not drawn, whoever asks')

# ---- many at once
names = [name for name in ID if has(name) and 'slow' not in name]
statuses = {}
threads = [threading.Thread(target=lambda name=name: statuses.update({name: Page.get(page, '/picture?id=' + ID[name]).status})) for name in names[:30]]
for thread in threads:
    thread.start()
searched = page.search('apples').status
for thread in threads:
    thread.join()
equal((set(statuses.values()) <= {200, 404}, len(statuses), searched), (True, min(len(names), 30), 200), 'many at once are answered, and a search between them')

# ---- who gets it
cookie = page.cookie
wide = '/picture?id=' + ID['marmoset-wide.png']
for headers, what in (({'Cookie': None}, 'without the cookie'), ({'Cookie': cookie[:-1] + ('0' if cookie[-1] != '0' else '1')}, 'with another cookie'), ({'Sec_Fetch_Site': 'cross-site'}, 'for another site'),
                      ({'Origin': 'http://evil.example'}, 'for another origin'), ({'Host': 'evil.example'}, 'by another name')):
    reply = page.get(wide, **headers)
    ok(reply.status == 403 and b'PNG' not in reply.body, f'{what} there is none', reply.status)
equal(page.get(wide + '&token=' + '0' * 64).status, 403, 'nor with a wrong token')
equal(page.ask('POST', wide).status, 405, 'it is not an action')
for bad in ('', '1', '0-0', '999999-999999', '-1-1', outside, '../../etc/passwd', ID['marmoset-wide.png'] + 'x'):
    reply = page.get('/picture?' + urllib.parse.urlencode({'id': bad}))
    equal((reply.status, reply.body), (404, BLANK), f'"{bad}" names nothing')

# ---- files that are no longer what was indexed
os.unlink(DOCS + '/marmoset-gone.png')
equal(picture('marmoset-gone.png').status, 404, 'a file that was deleted is not shown')
os.unlink(DOCS + '/marmoset-linked.png')
os.symlink(outside, DOCS + '/marmoset-linked.png')
equal(picture('marmoset-linked.png').status, 404, 'nor is what a link leads to')
st = os.stat(DOCS + '/marmoset-swapped.png')
shutil.copy(outside, DOCS + '/other')
os.utime(DOCS + '/other', ns=(st.st_atime_ns, st.st_mtime_ns))
os.rename(DOCS + '/other', DOCS + '/marmoset-swapped.png')
equal(picture('marmoset-swapped.png').status, 404, 'nor another file of the same size and time')
with open(DOCS + '/marmoset-changed.png', 'ab') as f:
    f.write(b'more')
equal(picture('marmoset-changed.png').status, 404, 'nor one that was changed since')
path = DOCS + '/marmoset-redrawn.png'
st = os.stat(path)
equal(drawn('marmoset-redrawn.png').at(.2, .5), RED, 'a picture is shown')
with open(path, 'r+b') as f:
    f.write(halves(300, 205, BLUE, RED, 4000))
os.utime(path, ns=(st.st_atime_ns, st.st_mtime_ns))
equal(drawn('marmoset-redrawn.png').at(.2, .5), BLUE, 'and after its bytes were changed in place, the new one')
equal(picture('marmoset-below.png').status, 200, 'a picture in a directory is shown')
os.rename(DOCS + '/sub', HOME + '/moved')
os.symlink(HOME + '/moved', DOCS + '/sub')
equal(picture('marmoset-below.png').status, 404, 'but not behind a link that takes the place of the directory')
page.end()

# ---- files of others
unprivileged = ('setpriv', '--bounding-set=-dac_override,-dac_read_search', '--inh-caps=-all')
if os.geteuid() != 0:
    page = Page()
elif shutil.which('setpriv') and subprocess.run([*unprivileged, 'true'], capture_output=True).returncode == 0:
    page = Page(through=unprivileged)
else:
    page = None
if page:
    equal(picture('marmoset-private.png').status, 200, 'a file that may be read is shown')
    os.chmod(DOCS + '/marmoset-private.png', 0)
    if os.geteuid() == 0:
        os.chown(DOCS + '/marmoset-private.png', pwd.getpwnam('nobody').pw_uid, -1)
    equal(picture('marmoset-private.png').status, 404, 'and not when it belongs to another user, although it was drawn before')
    equal(picture('marmoset-wide.png').status, 200, 'others are')
    page.end()
else:
    skip('a file of another user is not shown', 'root may read all files, and setpriv is missing')

# ---- without extractors
page = Page(env={'TARSIER_PLUGINS': TMP + '/nothing'})
equal((page.get(wide).status, page.search('apples').status), (404, 200), 'if nothing can be drawn, the page goes on')
page.end()

# ---- what is kept
plugins = TMP + '/plugins'
shutil.copytree(os.environ['TARSIER_PLUGINS'], plugins, ignore=lambda directory, names: [name for name in names if name not in ('image.so', 'ocr.so', 'text.so', 'pdf.so')])
page = Page(env={'TARSIER_PLUGINS': plugins})
first = page.get('/picture?id=' + ID['marmoset-high.png'])
equal(first.status, 200, 'a picture is drawn')
shutil.rmtree(plugins)
for pid in all_children(page.process.pid):
    try:
        if os.readlink(f'/proc/{pid}/exe').endswith('/tarsier-extract'):
            os.kill(pid, signal.SIGKILL)
    except OSError:
        pass
again = page.get('/picture?id=' + ID['marmoset-high.png'])
equal((again.status, again.body == first.body), (200, True), 'and kept: it comes again when nothing can be drawn any more')
equal(page.get('/picture?id=' + ID['marmoset-small.png']).status, 404, 'which others show')
kept = [name for place in (HOME, TMP) for directory, _, names in os.walk(place) if DOCS not in directory for name in names
        if name not in ('outside.png', 'marmoset-below.png') and open(os.path.join(directory, name), 'rb').read(8) == b'\x89PNG\r\n\x1a\n']
equal(kept, [], 'but on no disk')
page.end()
finish()
