#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""When the first hit is on the screen, and when the last one is.

bench/first-hit.py --build BUILD [--build BEFORE] HOME QUERY...

HOME has an index whose files are there ("collection --texts", or first-hit.py --build BUILD --make HOME: 600 files
of six formats, indexed). Each query runs on a pseudo terminal and with --json in a pipe, the builds in turn.
Prints for each query medians of N runs: ms from the start of the client to the first byte of the first hit, CPU ms
that the client took until then, ms to the end, CPU ms of the client and of the extractors that it waited for, and the
part of the hits that have a snippet. With two builds, also the ratios of the first one to the second one."""
import argparse, io, json, os, pty, random, resource, select, subprocess, sys, time, zipfile
import home as homes
import measure

WORDS = ('harbour lantern meeting budget invoice garden kernel window travel letter report station winter coffee contract paper '
         'market theatre railway museum holiday teacher library concert kitchen bicycle').split()


# ---- the files of --make

def text_of(rnd):
    return '\n\n'.join(' '.join(rnd.choice(WORDS) for _ in range(rnd.randint(8, 60))) for _ in range(rnd.randint(3, 40)))


def zipped(*members):
    out = io.BytesIO()
    with zipfile.ZipFile(out, 'w', zipfile.ZIP_DEFLATED) as z:
        for name, content in members:
            z.writestr(name, content, zipfile.ZIP_STORED if name == 'mimetype' else None)
    return out.getvalue()


def as_odt(text):
    body = ''.join(f'<text:p>{p}</text:p>' for p in text.split('\n\n'))
    return zipped(('mimetype', 'application/vnd.oasis.opendocument.text'), ('content.xml', '<?xml version="1.0"?><office:document-content '
                  'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0">'
                  f'<office:body><office:text>{body}</office:text></office:body></office:document-content>'))


def as_docx(text):
    body = ''.join(f'<w:p><w:r><w:t>{p}</w:t></w:r></w:p>' for p in text.split('\n\n'))
    return zipped(('[Content_Types].xml', '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override '
                   'PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>'),
                  ('_rels/.rels', '<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" '
                   'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>'),
                  ('word/document.xml', '<?xml version="1.0"?><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">'
                   f'<w:body>{body}</w:body></w:document>'))


def as_pdf(text):
    """One page of text for each paragraph."""
    pages = text.split('\n\n')
    objects = ['<< /Type /Catalog /Pages 2 0 R >>',
               f'<< /Type /Pages /Count {len(pages)} /Kids [{" ".join(f"{4 + 2 * i} 0 R" for i in range(len(pages)))}] >>',
               '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>']
    for i, page in enumerate(pages):
        words = page.split()
        lines = ' '.join(f'({" ".join(words[k:k + 10])}) Tj 0 -14 Td' for k in range(0, len(words), 10))
        drawing = f'BT /F1 11 Tf 50 780 Td {lines} ET'
        objects.append(f'<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents {5 + 2 * i} 0 R /Resources << /Font << /F1 3 0 R >> >> >>')
        objects.append(f'<< /Length {len(drawing)} >>\nstream\n{drawing}\nendstream')
    out, places = b'%PDF-1.4\n', []
    for i, item in enumerate(objects):
        places.append(len(out))
        out += f'{i + 1} 0 obj\n{item}\nendobj\n'.encode()
    table = ''.join(f'{place:010} 00000 n \n' for place in places)
    return out + (f'xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}trailer << /Size {len(objects) + 1} /Root 1 0 R >>\n'
                  f'startxref\n{len(out)}\n%%EOF\n').encode()


FORMATS = {
    'txt': lambda text: text.encode(),
    'html': lambda text: ('<title>Page</title>' + ''.join(f'<p>{p}</p>' for p in text.split('\n\n'))).encode(),
    'eml': lambda text: f'From: a@example.org\nTo: b@example.org\nSubject: mail\nDate: Mon, 2 Mar 2026 10:00:00 +0000\n\n{text}\n'.encode(),
    'odt': as_odt,
    'docx': as_docx,
    'pdf': as_pdf,
}


def watch(home):
    """Makes the files of a home watched: the client reads nothing else."""
    conf = home + '/.config/tarsier/tarsier.conf'
    if not os.path.exists(conf):
        os.makedirs(os.path.dirname(conf))
        with open(conf, 'w') as f:
            f.write(f'[index]\nroots={os.path.realpath(home)}/files\n')


def make(args):
    rnd = random.Random(1)
    files = args.home + '/files'
    os.makedirs(files)
    watch(args.home)
    for i in range(100):
        for extension, convert in FORMATS.items():
            with open(f'{files}/{i}.{extension}', 'wb') as f:
                f.write(convert(text_of(rnd)))
    args.build = args.build[0]
    subprocess.run(['tarsierd', '--once'], env=homes.environment(args, args.home), check=True)


# ---- a search

def client_cpu_ms(pid):
    """CPU time of all threads of one process."""
    total = 0
    for task in os.listdir(f'/proc/{pid}/task'):
        with open(f'/proc/{pid}/task/{task}/schedstat') as f:
            total += int(f.read().split()[0])
    return total / 1e6


def open_output(terminal):
    if not terminal:
        return os.pipe()
    ours, theirs = pty.openpty()
    return ours, theirs


def ask(command, env, first_hit, terminal):
    """Runs the client; returns the four times in ms, and the output."""
    ours, theirs = open_output(terminal)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.monotonic()
    p = subprocess.Popen(command, env=env, stdin=subprocess.DEVNULL, stdout=theirs, stderr=subprocess.DEVNULL)
    os.close(theirs)
    out, first, first_cpu = b'', None, None
    while True:
        try:
            piece = os.read(ours, 1 << 16)
        except OSError: # a pseudo terminal without another end
            piece = b''
        if not piece:
            break
        out += piece
        if first is None and first_hit in out:
            first = 1e3 * (time.monotonic() - start)
            try:
                first_cpu = client_cpu_ms(p.pid)
            except OSError:
                pass
    os.close(ours)
    p.wait()
    end = 1e3 * (time.monotonic() - start)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = 1e3 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return {'first': first, 'first_cpu': cpu if first_cpu is None else first_cpu, 'end': end, 'cpu': cpu}, out


def part_with_snippets(out):
    hits = [hit for hit in map(json.loads, out.splitlines()) if hit['type'] == 'hit']
    return sum(bool(hit['snippets']) for hit in hits) / max(len(hits), 1)


def measure_query(args, words):
    builds = [(b, homes.environment(argparse.Namespace(build=b), args.home)) for b in args.build]
    for terminal in (True, False):
        runs = {b: [] for b, _ in builds}
        parts = {b: [] for b, _ in builds}
        for _ in range(args.n):
            for b, env in builds:
                form = [] if terminal else ['--json']
                times, out = ask(['tarsier', 'search', *form, '-n', '20', '--', *words.split()], dict(env, TERM='xterm'),
                                 b'  1' if terminal else b'"type":"hit"', terminal)
                if times['first'] is None:
                    sys.exit(f'nothing is found by "{words}" in {args.home}')
                runs[b].append(times)
                if not terminal:
                    parts[b].append(part_with_snippets(out))
        medians = {b: {k: measure.percentile([t[k] for t in runs[b]], 50) for k in ('first', 'first_cpu', 'end', 'cpu')} for b in runs}
        for b in runs:
            part = f'{sum(parts[b]) / len(parts[b]):.2f}' if parts[b] else ''
            print(f'| `{words}` | {"terminal" if terminal else "--json"} | {b} | ' + ' | '.join(f'{v:.1f}' for v in medians[b].values()) + f' | {part} |')
        if len(runs) == 2:
            new, old = medians.values()
            print(f'| | | ratio | ' + ' | '.join(f'{new[k] / old[k]:.2f}' for k in new) + ' | |', flush=True)


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument('--build', action='append', required=True)
    ap.add_argument('--make', action='store_true')
    ap.add_argument('-n', type=int, default=21)
    ap.add_argument('home')
    ap.add_argument('words', nargs='*', metavar='QUERY')
    args = ap.parse_args()
    if args.make:
        make(args)
        return
    watch(args.home)
    print('| query | output | build | first hit, ms | client CPU ms until then | end, ms | CPU ms | with snippet |\n|---|---|---|---:|---:|---:|---:|---:|')
    for words in args.words:
        measure_query(args, words)


if __name__ == '__main__':
    main()
