# SPDX-License-Identifier: GPL-3.0-or-later
"""tarsier web rules --list: rules that a list of URLs, sizes and checksums shows, and lists that are none."""
import json, os, random, subprocess, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
from daemontest import *

random.seed(7)


def rules(lines, *words, name='list'):
    data = lines if isinstance(lines, bytes) else ''.join(line + '\n' for line in lines).encode()
    path = f'{TMP}/{name}'
    with open(path, 'wb') as f:
        f.write(data)
    done = subprocess.run(['tarsier', 'web', 'rules', '--list', path, *words], capture_output=True, timeout=300)
    return done.returncode, done.stdout.decode(), done.stderr.decode(errors='replace')


def objects(lines):
    code, out, err = rules(lines, '--json')
    return [json.loads(line) for line in out.splitlines()]


def line(path, page, sums=True, size=None):
    return f'http://a.test{path}\t{2000 + page * 131 if size is None else size}' + (f'\t{page:x}' if sums else '')


stories = [line(f'/story{form}{n}', n) for n in range(100, 160) for form in ('?id=', '_')]
photos = [line(f'/photo{form}{n}', 1000 + n + k * 500) for n in range(100, 160) for k, form in enumerate(('?id=', '_'))]
sessions = [line(f'/view/{n}{s}', 3000 + n) for n in range(40) for s in ('', f'?sid={n * 77:x}')]
pages = [line(f'/view/{n}?page=2', 5000 + n) for n in range(40)]
index = [line(f'/dir{n}/{f}', 7000 + n) for n in range(30) for f in ('', 'index.html')]
crawl = stories + photos + sessions + pages + index
random.shuffle(crawl)

found = objects(crawl)
equal([(r['kind'], r['from'], r['to'], r['at_end']) for r in found],
      [('part', '/story?id=', '/story_', False), ('parameter', 'sid', None, False), ('part', '/index.html', '/', True)],
      'second spellings, sessions and index files are found, and nothing where pages differ')
equal([(r['support'], r['refuted'], r['urls'], r['saved'], r['sampled'], r['precision']) for r in found],
      [(60, 0, 60, 60, 20, 1.0), (40, 0, 40, 40, 20, 1.0), (30, 0, 30, 30, 20, 1.0)], 'each rule tells what supports it')
code, out, err = rules(crawl)
equal((code, out), (0, '/story?id=\t/story_\nsid=*\t\n/index.html$\t/$\n'), 'in a pipe, both sides stand in one line')
equal(err, f'3 rules; 130 of {len(crawl)} URLs need not be fetched\n', 'the sum follows on stderr')
again = list(crawl)
random.shuffle(again)
equal(objects(again), found, 'the order of the list does not matter')
equal(subprocess.run(['tarsier', 'web', 'rules', '--list', '-'], input='\n'.join(crawl).encode(), capture_output=True).stdout,
      out.encode(), 'the list may come from standard input')

equal(objects(stories[:20]), [], 'ten pairs are not enough')
equal(len(objects(stories[:22])), 1, 'eleven pairs are enough')
sizes = [line(f'/a{form}{n}', n, sums=False) for n in range(100, 160) for form in ('?id=', '_')]
only = objects(sizes)
equal([(r['from'], r['sampled'], r['precision']) for r in only], [('/a?id=', 0, None)],
      'without checksums a rule is found, and not confirmed')
same = [line(f'/{s}/{n}', 1000 * k + n, size=5000) for n in range(60) for k, s in enumerate(('x', 'copies'))]
equal(objects(same), [], 'equal sizes make no rule where checksums differ')
equal(objects([text.split('\t')[0] for text in crawl]), [], 'URLs alone tell nothing')
widths = [line(f'/w{form}{n}', n, sums=False, size=2000 + n * 131 + extra) for n in range(60)
          for form, extra in (('?id=', 0), ('?id=', 500), ('_', 250))]
equal([r['from'] for r in objects(widths)], ['/w?id='], 'a URL that comes again has a range of sizes')

# ---- bad input

equal(rules(b'')[:2], (1, ''), 'an empty list has no rules')
junk = b'\xff\xfe\n\n\t\t\nno url\nhttp://a.test/\tx\nhttp://a.test/\t-5\nhttp://a.test/\t99999999999999999999\nhttp://a.test/\0x\t5\n'
code, out, err = rules(junk)
ok(code == 1 and out == '' and 'lines were left out' in err, 'lines that are none are counted and left out', code, out, err)
long_url = 'http://a.test/' + 'a' * 3000
code, out, err = rules([long_url + f'{n}\t5\t1' for n in range(30)] + stories)
ok(code == 0 and out.startswith('/story') and '30 lines' in err, 'URLs that are too long are left out', code, out[:99], err)
deep = ['http://a.test/' + 'a/' * 200 + f'{n}\t5\t1' for n in range(30)]
ok(rules(deep)[0] == 1, 'URLs of too many parts are left out')
bytes_ = bytes(random.randrange(256) for _ in range(200000))
ok(rules(bytes_)[0] in (0, 1), 'any bytes are a list')
unicode_ = [line(f'/日本/ä{n}{tail}', n) for n in range(30) for tail in ('', '?drück=1')]
equal([(r['kind'], r['to']) for r in objects(unicode_)], [('parameter', None)], 'URLs beyond ASCII are taken in canonical form')
escape = [line(f'/a\x1b]0;t\x07{tail}{n}', n) for n in range(30) for tail in ('', '-b')]
done = rules(escape, '--color=always')
ok('\x1b]0' not in done[1], 'controls of a list do not reach the terminal', done)

for words in (('rules',), ('rules', 'x'), ('rules', '--list')):
    done = subprocess.run(['tarsier', 'web', *words], capture_output=True)
    equal(done.returncode, 2, f'"web {" ".join(words)}" is wrong usage')
equal(subprocess.run(['tarsier', 'web', 'rules', '--list', TMP + '/absent'], capture_output=True).returncode, 2,
      'a list that is absent is an error, as for other verbs')
equal(rules(crawl, '-q')[1:], ('', ''), '-q prints nothing')
finish()
