#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""make-pictures.py BUILD: makes the pictures of the README, in its own directory.

It indexes a small home that it writes, lets the built client run in a terminal (tmux), and draws what
stands there as SVG: the text stays text. Chromium takes a picture of the page that tarsier browse
serves; where it is not installed, that picture stays as it is. Run it before each release and look at
the pictures."""
import html, os, re, shutil, subprocess, sys, tempfile, time, zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE + '/../../tests/ui-web')
import chromium
CHAR, LINE, MARGIN = 8.4, 18, 14  # of a character of 14 px
COLOURS = ('#2e3436', '#ef5350', '#8bc34a', '#e6b455', '#64a8f0', '#c792ea', '#4dd0c4', '#d7dae0',
           '#7f8790', '#ff7b72', '#a5d76e', '#ffd479', '#8cc4ff', '#ddb3ff', '#7fe3da', '#ffffff')
INK, PAPER = '#d7dae0', '#1d2127'
NO_BREAK = '\u00a0'  # spaces at the end of a text would be dropped


# ---- the home

SENTENCES = [sentence.strip() + '.' for sentence in """
The pump runs through the night in cold weather. The meter is read on the last day of the year. Gas became dearer in
autumn. The water tank holds two hundred litres. A technician looks at the boiler once a year. The windows of the
kitchen were sealed last spring. The house has eleven flats and two shops. Costs are shared by the size of the rooms.
The old pipes in the cellar lose much warmth. Hot water takes a third of the energy. The valve below the window sticks.
The caretaker keeps the keys of the cellar. An advance is paid each month. The chimney is swept in May
""".replace('\n', ' ').split('.')]


def filler(first, number):
    """Each document has sentences of its own: those of near copies would be folded."""
    return ' '.join(SENTENCES[(first + i) % len(SENTENCES)] for i in range(number))


def pdf(title, *pages):
    """A PDF file with these lines on its pages."""
    objects = ['<</Type/Catalog/Pages 2 0 R>>', '', '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>']
    for text in pages:
        lines = ' T* '.join(f'({line}) Tj' for line in re.findall(r'.{1,80}(?:\s|$)', text))
        stream = f'BT /F1 12 Tf 14 TL 72 720 Td {lines} ET'
        objects.append(f'<</Length {len(stream)}>>stream\n{stream}\nendstream')
        objects.append(f'<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents {len(objects)} 0 R/Resources<</Font<</F1 3 0 R>>>>>>')
    objects[1] = '<</Type/Pages/Kids[' + ' '.join(f'{5 + 2 * i} 0 R' for i in range(len(pages))) + f']/Count {len(pages)}>>'
    objects.append(f'<</Title({title})>>')
    out, places = b'%PDF-1.4\n', []
    for i, text in enumerate(objects, 1):
        places.append(len(out))
        out += f'{i} 0 obj{text}endobj\n'.encode()
    start = len(out)
    out += f'xref\n0 {len(objects) + 1}\n0000000000 65535 f \n'.encode() + b''.join(b'%010d 00000 n \n' % p for p in places)
    return out + f'trailer<</Size {len(objects) + 1}/Root 1 0 R/Info {len(objects)} 0 R>>\nstartxref\n{start}\n%%EOF\n'.encode()


def odt(title, *paragraphs):
    path = tempfile.mktemp()
    body = ''.join(f'<text:p>{html.escape(p)}</text:p>' for p in paragraphs)
    with zipfile.ZipFile(path, 'w') as z:
        z.writestr('mimetype', 'application/vnd.oasis.opendocument.text')
        z.writestr('meta.xml', '<office:document-meta xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:dc="http://purl.org/dc/elements/1.1/">'
                   f'<office:meta><dc:title>{title}</dc:title></office:meta></office:document-meta>')
        z.writestr('content.xml', '<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0">'
                   f'<office:body><office:text><text:h text:outline-level="1">{title}</text:h>{body}</office:text></office:body></office:document-content>')
    with open(path, 'rb') as f:
        data = f.read()
    os.unlink(path)
    return data


def files():
    bill = pdf('Costs of the flat 2025', filler(0, 3), 'The heating bill is due on 15 March. ' + filler(3, 3))
    yield 'Documents/Flat/heating bill 2025.pdf', bill
    yield 'Backup/Flat/heating bill 2025.pdf', bill
    yield 'Documents/Flat/Letter to the landlord.odt', odt('Letter to the landlord', 'The heating bill of last winter is twice that of the year before.', filler(6, 2))
    yield 'Documents/Flat/rent contract.txt', 'Rent contract\n\nHeating is billed once a year, in March.\n' + filler(8, 2)
    yield 'Mail/heating.eml', ('From: office@example.org\nTo: me@example.org\nSubject: Your heating bill\nDate: Tue, 3 Mar 2026 10:20:00 +0100\n'
                               'Content-Type: text/plain; charset=utf-8\n\nYour heating bill is attached.\nThe amount is taken from your account in April.\n').encode()
    yield 'Documents/Garden/compost.md', '# Compost\n\n' + 'Leaves, peel and coffee rot in a year if they stay damp.'
    yield 'Downloads/boiler.html', ('<title>How a boiler works</title><h1>How a boiler works</h1><p>Every heating bill depends on the boiler. ' + filler(10, 4)).encode()


# ---- a terminal as SVG

def style_of(codes, style):
    i = 0
    while i < len(codes):
        code = codes[i]
        if code == 0:
            style = {}
        elif code in (1, 2, 4, 7):
            style = dict(style, **{{1: 'bold', 2: 'dim', 4: 'underline', 7: 'reverse'}[code]: True})
        elif 30 <= code <= 37 or 90 <= code <= 97:
            style = dict(style, ink=COLOURS[code - 30 if code < 90 else code - 82])
        elif 40 <= code <= 47:
            style = dict(style, paper=COLOURS[code - 40])
        elif code in (38, 48) and codes[i + 1:i + 2] == [5]:
            style = dict(style, **{'ink' if code == 38 else 'paper': COLOURS[codes[i + 2] % 16]})
            i += 2
        elif code in (39, 49):
            style = {k: v for k, v in style.items() if k != ('ink' if code == 39 else 'paper')}
        elif code in (22, 24, 27):
            style = {k: v for k, v in style.items() if k not in {22: ('bold', 'dim'), 24: ('underline',), 27: ('reverse',)}[code]}
        i += 1
    return style


def runs(line, style):
    """The parts of a line with their styles, and the style after it."""
    out = []
    line = re.sub('\x1b\\]8;[^\x1b\a]*(\x1b\\\\|\a)', '', line)
    for part in re.split('(\x1b\\[[0-9;]*m)', line):
        if part.startswith('\x1b['):
            style = style_of([int(c or 0) for c in part[2:-1].split(';')], style)
        elif part:
            out.append((part, style))
    return out, style


def svg(lines, columns):
    width, height = columns * CHAR + 2 * MARGIN, len(lines) * LINE + 2 * MARGIN
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" height="{height:.0f}">',
           f'<rect width="100%" height="100%" rx="8" fill="{PAPER}"/>',
           '<g font-family="DejaVu Sans Mono,Menlo,Consolas,monospace" font-size="14">']
    style = {}
    for row, line in enumerate(lines):
        parts, style = runs(line, style)
        column = 0
        for text, look in parts:
            ink, paper = look.get('ink', INK), look.get('paper')
            if look.get('reverse'):
                ink, paper = paper or PAPER, ink
            x, y = MARGIN + column * CHAR, MARGIN + row * LINE
            if paper:
                out.append(f'<rect x="{x:.1f}" y="{y}" width="{len(text) * CHAR:.1f}" height="{LINE}" fill="{paper}"/>')
            looks = (' font-weight="bold"' if look.get('bold') else '') + (' opacity=".65"' if look.get('dim') else '') + (' text-decoration="underline"' if look.get('underline') else '')
            if text.strip():
                out.append(f'<text x="{x:.1f}" y="{y + 14}" fill="{ink}" textLength="{len(text) * CHAR:.1f}"{looks}>{html.escape(text).replace(" ", NO_BREAK)}</text>')
            column += len(text)
    return '\n'.join(out) + '\n</g>\n</svg>\n'


class Terminal:
    def __init__(self, env, columns, rows):
        self.columns, self.socket = columns, env['HOME'] + '/tmux'
        self.run('-f', '/dev/null', 'new-session', '-d', '-x', str(columns), '-y', str(rows), 'env PS1="$ " sh', env=env)

    def run(self, *words, env=None):
        return subprocess.run(['tmux', '-S', self.socket, *words], capture_output=True, text=True, check=True, env=env).stdout

    def lines(self):
        return self.run('capture-pane', '-e', '-p').rstrip('\n').split('\n')

    def type(self, text, *keys):
        self.run('send-keys', '-l', text)
        for key in keys:
            self.run('send-keys', key)

    def wait(self, text):
        """Until the text is there and nothing moves for a second."""
        before, since, end = None, 0, time.monotonic() + 60
        while time.monotonic() < end:
            now = self.lines()
            if now != before:
                before, since = now, time.monotonic()
            if text in '\n'.join(now) and time.monotonic() - since > 1:
                return now
            time.sleep(.05)
        sys.exit(f'"{text}" does not come:\n' + '\n'.join(before))

    def close(self):
        self.run('kill-server')


def make_home(home, env):
    for i, (name, data) in enumerate(files()):
        path = os.path.join(home, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, 'wb') as f:
            f.write(data if isinstance(data, bytes) else data.encode())
        when = 1772000000 - i * 5000000
        os.utime(path, (when, when))
    for command in (['add', home], ['index']):
        subprocess.run(['tarsier', '-q', *command], env=env, check=True)


def terminal_pictures(home, env):
    pictures = {}
    terminal = Terminal(env, 96, 40)
    terminal.type('clear', 'Enter')
    terminal.type('tarsier heating bill', 'Enter')
    pictures['search'] = terminal.wait('boiler')[:-1]  # without the next prompt
    terminal.run('resize-window', '-y', '25')
    terminal.type('clear; tarsier tui', 'Enter')
    terminal.wait('F1: all keys')
    terminal.type('heating bil')
    pictures['tui'] = terminal.wait('boiler')
    terminal.close()
    for name, lines in pictures.items():
        with open(f'{HERE}/{name}.svg', 'w') as f:
            f.write(svg([line.replace(home, '~') for line in lines], 96))


def page_picture(build, env):
    page = subprocess.Popen([build + '/ui-web/tarsier-browse', '--no-open'], stdout=subprocess.PIPE, text=True, env=env)
    browser = chromium.Browser(tempfile.mkdtemp(dir=env['HOME'] + '/..', prefix='tarsier-pictures-'), width=1100, height=640)
    try:
        browser.go(page.stdout.readline().strip())
        browser.type('heating bill')
        browser.until('document.querySelectorAll("mark").length > 3')
        browser.key('Enter')
        browser.until('document.querySelectorAll("mark").length > 3')
        browser.picture(HERE + '/page.png')
    finally:
        browser.end()
        page.terminate()


def main():
    build = os.path.abspath(sys.argv[1])
    home = tempfile.mkdtemp(prefix='tarsier-pictures-')
    env = {'HOME': home, 'PATH': f'{build}/ui-cli:{build}/daemon:' + os.environ['PATH'], 'LANG': 'C.UTF-8', 'TERM': 'xterm-256color', 'TZ': 'UTC',
           'TARSIER_EXTRACT': build + '/extractors/tarsier-extract', 'TARSIER_PLUGINS': build + '/extractors/.libs', 'TARSIER_DATA': HERE + '/../../data'}
    try:
        make_home(home, env)
        terminal_pictures(home, env)
        if chromium.program():
            page_picture(build, env)
    finally:
        shutil.rmtree(home)


if __name__ == '__main__':
    main()
