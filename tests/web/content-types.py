# SPDX-License-Identifier: GPL-3.0-or-later
"""An answer is read as its Content-Type says, in the index and in what is shown of it; documents that
a server declares as bytes are kept; a feed among the pages of a site leads to pages and is none."""
import io, os, sys, zipfile
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/web'))
from webtest import *

PLAIN = {'Content_Type': 'text/plain'}
BYTES = {'Content_Type': 'application/octet-stream'}


def opendocument(text):
    file = io.BytesIO()
    with zipfile.ZipFile(file, 'w') as z:
        z.writestr('mimetype', 'application/vnd.oasis.opendocument.text')
        z.writestr('content.xml', '<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" '
                   'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"><office:body><office:text>'
                   f'<text:p>{text}</text:p></office:text></office:body></office:document-content>')
    return file.getvalue()


site = Site()
pages = {
    '/README': Page('walnut\n#include <stdio.h>\nif (a <b && c> d)\n', **PLAIN),
    '/data': Page('{"walnut": "a <hazel> b"}', Content_Type='application/json'),
    '/wiki/hello.c': Page('Hello <b>walnut</b> <i title="hidden">&eacute;clair</i>'),
    '/latin-9': Page('<p>walnut kaže'.encode('iso-8859-15'), Content_Type='text/html; charset=iso-8859-15'),
    '/get?id=1': Page(opendocument('walnut office'), **BYTES),
    '/notes.md': Page('# Notes\n\nwalnut notes', **BYTES),
    '/setup.exe': Page(b'MZ walnut program', **BYTES),
    '/archive.zip': Page(b'PK\3\4' + 26 * b'.' + b'walnut.txt', Content_Type='application/zip'),
    '/feed/': Page(f'<rss version="2.0"><channel><title>News</title><item><title>Item</title><link>{site.origin}/item</link>'
                   '<description>walnut teaser</description></item></channel></rss>', Content_Type='application/rss+xml'),
    '/item': Page('<p>walnut item'),
}
site.pages = pages | {'/robots.txt': Page('', 404), '/': Page(''.join(f'<a href="{path}">x</a> ' for path in pages if path != '/item'))}
configure_sources({site.origin + '/': {'kind': 'site'}}, text='[daemon]\ntext-cache = 0\n')
daemon = Daemon('-v')
unkept = ('/setup.exe', '/archive.zip', '/feed/')
soon('texts and documents are found, also those that are declared as bytes, and a page to which only a feed leads',
     [site.origin + path for path in pages if path not in unkept], 'walnut', seconds=60)
wait_until('all pages are asked', lambda: all(site.asked(path) for path in pages))
daemon.sync()
equal(found('teaser'), [], 'a feed among the pages is read for its links only')
equal(found('stdio'), [site.origin + '/README'], 'a plain text without an extension keeps its angle brackets')
equal(found('hazel'), [site.origin + '/data'], 'so does JSON')
equal(found('éclair'), [site.origin + '/wiki/hello.c'], 'a page of HTML is one whatever its URL ends with')
equal(found('hidden'), [], 'and has no tags in its text')


def tells(*words):
    return subprocess.run(['tarsier', *words], capture_output=True, text=True, timeout=60).stdout


ok('<stdio.h>' in tells('show', site.origin + '/README'), 'the text is shown so', tells('show', site.origin + '/README'))
ok('kaže' in tells('show', site.origin + '/latin-9'), 'a page is shown in the charset that its server declared', tells('show', site.origin + '/latin-9'))
ok('kaže' in tells('search', '--long', 'kaže'), 'and its snippet', tells('search', '--long', 'kaže'))
polite('a second lies between two requests', site)
daemon.stop()
finish()
