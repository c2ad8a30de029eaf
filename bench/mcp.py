#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""mcp.py --build BUILD [--runs N] [NUMBER]: what 20 hits cost an assistant that asks "tarsier mcp",
beside "tarsier search --json", in a tree of bench/scale.py with so many files (65000).

CPU time in ms, the median of N runs that alternate. "search --json" and "mcp" are whole processes
and what they wait for; "mcp, next" is one more answer of a server that runs. The extractors that
make passages are processes of their own, and counted where they are waited for. --keep leaves tree
and index in --work, where the next run finds them."""
import argparse, json, os, resource, shutil, statistics, subprocess, tempfile, time
import home, scale

META = {'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {}}


def request(name, **arguments):
    return (json.dumps({'jsonrpc': '2.0', 'id': 1, 'method': 'tools/call', 'params': {'name': name, 'arguments': arguments, '_meta': META}}) + '\n').encode()


def cost(command, env, data=b''):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, env=env, input=data, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1000 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime), done.stdout


class Server:
    def __init__(self, env):
        self.process = subprocess.Popen(['tarsier', 'mcp'], env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def used(self):
        """ms of CPU of the process, threads that ended included."""
        return 1000 * time.clock_gettime((~self.process.pid << 3) | 2)

    def cost(self, data):
        before = self.used()
        self.process.stdin.write(data)
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        return self.used() - before, answer

    def end(self):
        self.process.stdin.close()
        self.process.wait()


def hits(answer):
    return len(json.loads(answer)['result']['structuredContent']['hits'])


def measure(args, env):
    words = scale.words(args.seed)
    server = Server(env)
    print('| query | hits | search --json | mcp | ratio | mcp, next |')
    for name, query in (('a rare word', words[30000]), ('a word', words[3000]), ('a common word', 'could'), ('two common words', 'could new')):
        figures = [[], [], []]
        for _ in range(args.runs):
            figures[0].append(cost(['tarsier', 'search', '--json', '-n', '20', *query.split()], env)[0])
            ms, answer = cost(['tarsier', 'mcp'], env, request('search', query=query, limit=20))
            figures[1].append(ms)
            figures[2].append(server.cost(request('search', query=query, limit=20))[0])
        a, b, c = (statistics.median(of) for of in figures)
        print(f'| {name} | {hits(answer)} | {a:.1f} | {b:.1f} | {b / a:.2f} | {c:.1f} |', flush=True)
    first = json.loads(server.cost(request('search', query='could', limit=1))[1])['result']['structuredContent']['hits'][0]
    resources = (json.dumps({'jsonrpc': '2.0', 'id': 1, 'method': 'resources/list', 'params': {'_meta': META}}) + '\n').encode()
    for name, data in (('list', request('list')), ('list, offset 50000', request('list', offset=50000)), ('read', request('read', document=first['uri'])),
                       ('why', request('why', document=first['path'])), ('similar', request('similar', document=first['uri'])), ('resources/list', resources)):
        figures = [server.cost(data)[0] for _ in range(args.runs)]
        print(f'| {name} | | | | | {statistics.median(figures):.1f} |', flush=True)
    server.end()


parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument('--build', required=True)
parser.add_argument('--work', help='directory for tree and index; default: one in TMPDIR')
parser.add_argument('--keep', action='store_true')
parser.add_argument('--runs', type=int, default=11)
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
measure(args, env)
if not args.keep:
    shutil.rmtree(args.work)
