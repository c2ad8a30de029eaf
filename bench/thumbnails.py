#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""thumbnails.py --build BUILD [--number N] [--runs N] FILE...: what the thumbnail of each file costs on
the page of tarsier browse, beside a tool that draws it as small: pdftoppm -scale-to 128, djpeg -scale 1/8,
pngtopam | pamscale -xyfit 128 128, dwebp -scale 128 0.

CPU in ms for one thumbnail, medians of runs that alternate: of tarsier-browse with all of its threads, and
of the extractors, which are started anew in each run and draw N copies of the file, each with another end."""
import argparse, http.client, os, re, resource, shutil, statistics, subprocess, tempfile, time, urllib.parse
import home

TOOLS = {'.pdf': (['pdftoppm', '-singlefile', '-scale-to', '128', '-png', 'FILE'],), '.jpg': (['djpeg', '-scale', '1/8', 'FILE'],),
         '.png': (['pngtopam', 'FILE'], ['pamscale', '-xyfit', '128', '128']), '.webp': (['dwebp', '-quiet', '-scale', '128', '0', 'FILE', '-o', '-'],)}
TICK_MS = 1000 / os.sysconf('SC_CLK_TCK')


def children_ms():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1000 * (used.ru_utime + used.ru_stime)


def tool(path, number):
    commands, before = TOOLS[os.path.splitext(path)[1]], children_ms()
    for _ in range(number):
        data = None
        for command in commands:
            data = subprocess.run([path if word == 'FILE' else word for word in command], input=data, stdout=subprocess.PIPE, check=True, stderr=subprocess.DEVNULL).stdout
    return (children_ms() - before) / number


def tree_ms(pid):
    """CPU of a process, its children that live, and those that it has waited for."""
    def stat(process):
        with open(f'/proc/{process}/stat') as f:
            return f.read().rpartition(')')[2].split()
    total = sum(map(int, stat(pid)[11:15])) * TICK_MS
    for process in filter(str.isdigit, os.listdir('/proc')):
        try:
            row = stat(process)
        except OSError:
            continue
        if int(row[1]) == pid:
            total += sum(map(int, row[11:15])) * TICK_MS
    return total


def page(args, env, kind):
    """CPU for a thumbnail, and how many there were."""
    process = subprocess.Popen([os.path.abspath(args.build) + '/ui-web/tarsier-browse', '--no-open'], env=env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    parts = urllib.parse.urlsplit(process.stdout.readline().strip())
    connection, cookie = http.client.HTTPConnection(parts.netloc), ''

    def get(path):
        connection.request('GET', path, headers={'Cookie': cookie, 'Sec-Fetch-Site': 'same-origin'})
        reply = connection.getresponse()
        return reply, reply.read()

    cookie = get('/?' + parts.query)[0].headers['Set-Cookie'].split(';')[0]
    ids = []
    for i in range(args.number): # copies would be one hit
        ids += re.findall(r'data-id="([^"]*)"', get(f'/hits?fragment=1&q=name:marmoset{i}{kind}')[1].decode())[:1]
    before = tree_ms(process.pid)
    drawn = sum(get('/picture?id=' + one)[0].status == 200 for one in ids)
    used = (tree_ms(process.pid) - before) / max(drawn, 1)
    process.terminate()
    process.wait()
    return used, drawn


parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument('--build', required=True)
parser.add_argument('--number', type=int, default=60)
parser.add_argument('--runs', type=int, default=5)
parser.add_argument('files', nargs='+')
args = parser.parse_args()
print('| file | tool | thumbnail | ratio |')
for path in args.files:
    args.work = tempfile.mkdtemp(prefix='tarsier-bench.')
    kind = os.path.splitext(path)[1]
    os.mkdir(args.work + '/tree')
    for i in range(args.number):
        shutil.copy(path, f'{args.work}/tree/marmoset{i}{kind}')
        with open(f'{args.work}/tree/marmoset{i}{kind}', 'ab') as f:
            f.write(b'\n%% %d\n' % i)
    _, env = home.make_home(args, args.work + '/tree')
    subprocess.run(['tarsierd', '--once'], env=env, check=True, stderr=subprocess.DEVNULL)
    rows = [(tool(path, args.number // 4), *page(args, env, kind)) for _ in range(args.runs)]
    assert all(drawn == args.number for _, _, drawn in rows), rows
    floor, used, _ = (statistics.median(column) for column in zip(*rows))
    print(f'| {os.path.basename(path)}, {os.path.getsize(path) >> 10} KiB | {floor:.1f} | {used:.1f} | {used / floor:.2f} |', flush=True)
    shutil.rmtree(args.work)
