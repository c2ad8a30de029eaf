#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""browse.py --build BUILD [--runs N] [NUMBER]: what a key costs on the page of tarsier browse, beside
"tarsier search -l -n 20", in a tree of bench/scale.py with so many files (65000).

ms, medians of N runs that alternate. "search" is a whole process. "key" is the fragment with the hits
that the script asks for after each key, "passages" the one with passages that it asks for when no key
follows, "page" the whole page without a script. CPU is that of tarsier-browse with all of its threads;
the extractors that make passages are processes of their own. Most of the wall time of passages is
waiting for them, for 300 ms at most. --keep leaves tree and index in --work, where the next run finds
them."""
import argparse, http.client, os, resource, shutil, statistics, subprocess, tempfile, time, urllib.parse
import home, scale


def client(query, env):
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    subprocess.run(['tarsier', 'search', '-l', '-n', '20', *query.split()], env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wall, after = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1000 * wall, 1000 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


class Page:
    def __init__(self, program, env):
        self.process = subprocess.Popen([program, '--no-open'], env=env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        parts = urllib.parse.urlsplit(self.process.stdout.readline().strip())
        self.connection = http.client.HTTPConnection(parts.netloc)
        self.cookie = ''
        self.cookie = self.get('/?' + parts.query)[0].headers['Set-Cookie'].split(';')[0]

    def get(self, path):
        self.connection.request('GET', path, headers={'Cookie': self.cookie, 'Sec-Fetch-Site': 'same-origin'})
        reply = self.connection.getresponse()
        return reply, reply.read().decode()

    def used(self):
        """ms of CPU of the process, threads that ended included."""
        return 1000 * time.clock_gettime((~self.process.pid << 3) | 2)

    def timed(self, path, **fields):
        before, start = self.used(), time.monotonic()
        reply, body = self.get(path + '?' + urllib.parse.urlencode(fields))
        wall = 1000 * (time.monotonic() - start)
        assert reply.status == 200, reply.status
        return body.count('class="hit"'), wall, self.used() - before


def measure(args, env):
    page, words = Page(os.path.abspath(args.build) + '/ui-web/tarsier-browse', env), scale.words(args.seed)
    print('| query | hits | search, wall | CPU | key, wall | CPU | CPU, ratio | passages, wall | CPU | page, wall | CPU |')
    for name, query in (('a rare word', words[30000]), ('a word', words[3000]), ('its first four letters', words[3000][:4]), ('a common word', 'could'),
                        ('two common words', 'could new'), ('two letters', 'co')):
        rows = []
        for _ in range(args.runs):
            search = client(query, env)
            hits, *key = page.timed('/hits', q=query, typed=1, fragment=1, tab='a')
            passages = page.timed('/hits', q=query, typed=1, passages=1, fragment=1, tab='a')[1:]
            rows.append([*search, *key, *passages, *page.timed('/', q=query)[1:]])
        median = [statistics.median(column) for column in zip(*rows)]
        cells = [f'{ms:.1f}' for ms in median]
        print(f'| {name} | {hits} | ' + ' | '.join([*cells[:4], f'{median[3] / median[1]:.2f}', *cells[4:]]) + ' |', flush=True)
    page.process.terminate()
    page.process.wait()


parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument('--build', required=True)
parser.add_argument('--work', help='directory for tree and index; default: one in TMPDIR')
parser.add_argument('--keep', action='store_true')
parser.add_argument('--runs', type=int, default=15)
parser.add_argument('--seed', type=int, default=1)
parser.add_argument('number', nargs='?', type=int, default=65000)
args = parser.parse_args()
args.work = args.work or tempfile.mkdtemp(prefix='tarsier-bench.')
tree, mark = f'{args.work}/tree.{args.number}', f'{args.work}/home.{args.number}'
if os.path.exists(mark):
    with open(mark) as f:
        env = home.environment(args, f.read())
else:
    scale.make(tree, args.number, args.seed)
    path, env = home.make_home(args, tree)
    subprocess.run(['tarsierd', '--once'], env=env, check=True, stderr=subprocess.DEVNULL)
    with open(mark, 'w') as f:
        f.write(path)
os.environ['PATH'] = env['PATH']
measure(args, env)
if not args.keep:
    shutil.rmtree(args.work)
