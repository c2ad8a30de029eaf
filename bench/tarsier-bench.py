#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""tarsier-bench.py: what indexing, following and searching cost, beside a peer or a floor in the same run.

  index   CORPUS [--recoll] [--known FILE]   first index and a second run with nothing changed; Recoll's figures in the same
                                             run; floors of the libraries alone; items of FILE that are found
  change  CORPUS [-n N]                      save, edit, rename, delete -> found; a directory of 1,000 files renamed; a burst
  query   INDEX_HOME [-n N] WORD...          the client as a whole process
  load    CORPUS MORE [-n N] WORD...         the same while the files of MORE are brought into an index of CORPUS
  idle    CORPUS                             memory and wakeups of an idle daemon with its children

The programs come from the PATH, or from a build tree with --build DIR. Everything happens in a private HOME below
--work (default: a new directory in TMPDIR). Output: Markdown tables."""
import argparse, json, os, random, shutil, signal, subprocess, sys, tempfile, time
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import measure
from home import environment, make_home, output


def status(env):
    return json.loads(output(['tarsier', 'status', '--json'], env) or '{}')


def row(name, *cells):
    print(f'| {name} | ' + ' | '.join(f'{c:.2f}' if isinstance(c, float) else str(c) for c in cells) + ' |', flush=True)


FTS5_FLOOR = '''
import sqlite3, sys
texts = open(sys.argv[1], 'rb').read().decode('utf-8', 'replace').split('\\0')
db = sqlite3.connect(sys.argv[2], isolation_level=None)
db.execute("PRAGMA journal_mode=off")
db.execute("CREATE VIRTUAL TABLE t USING fts5(x, content='')")
db.execute("BEGIN")
if len(sys.argv) > 3:
    db.executemany("INSERT INTO t(rowid, x) VALUES(?, ?)", enumerate(texts))
db.execute("COMMIT")
'''


def fts5_floor(corpus, env, work):
    """Returns the CPU time of writing the text of all files, as our extractors give it, with FTS5
    alone: of a run that writes less one that only reads."""
    texts, db = os.path.join(work, 'texts'), os.path.join(work, 'fts5.db')
    with open(texts, 'wb') as f:
        for top, _, names in os.walk(corpus):
            for name in names:
                subprocess.run(['tarsier', 'extract', '--plain', '--all', os.path.join(top, name)], env=env, stdout=f, stderr=subprocess.DEVNULL)
                f.write(b'\0')
                f.flush()
    cpu = []
    for extra in (['write'], []):
        if os.path.exists(db):
            os.unlink(db)
        cpu.append(measure.run([sys.executable, '-c', FTS5_FLOOR, texts, db, *extra])['cpu_s'])
    return cpu[0] - cpu[1]


def unpack_all(corpus, target):
    """Unpacks the members of archives, and of the Debian packages among them."""
    quiet = {'stdin': subprocess.DEVNULL, 'stdout': subprocess.DEVNULL, 'stderr': subprocess.DEVNULL}
    for top, _, names in os.walk(corpus):
        for name in names:
            path, to = os.path.join(top, name), tempfile.mkdtemp(dir=target)
            if name.endswith('.zip'):
                subprocess.run(['unzip', '-qq', '-o', path, '-d', to], **quiet)
            elif name.endswith('.deb'):
                subprocess.run(['dpkg-deb', '-x', path, to], **quiet)
            elif '.tar' in name or name.endswith('.tgz'):
                subprocess.run(['tar', '-xf', path, '-C', to], **quiet)
    subprocess.run(['find', target, '-name', '*.pdf.gz', '-exec', 'gunzip', '-f', '{}', ';'], **quiet)


def floors(corpus, env, work):
    """Returns the seconds of CPU that the libraries alone need for this corpus. PDFs in archives
    are documents too."""
    q = "'" + corpus.replace("'", "'\\''") + "'"
    unpacked = tempfile.mkdtemp(dir=work, prefix='unpacked.')
    unpack_all(corpus, unpacked)
    pdfs = "-iname '*.pdf' -print0 | xargs -0 -n1 sh -c 'pdftotext -q \"$0\" - >/dev/null'"
    zips, tars = "-name '*.zip' -print0", "\\( -name '*.tar' -o -name '*.tar.*' -o -name '*.tgz' \\) -print0"
    steps = {
        'pdftotext of every PDF': f"find {q} {pdfs}",
        'pdftotext of every PDF in an archive': f"find {unpacked} {pdfs}",
        'file --mime-type of every file': f"find {q} -type f -print0 | xargs -0 file -b --mime-type",
        'zip parts of office files': f"find {q} \\( -name '*.od?' -o -name '*.docx' -o -name '*.xlsx' -o -name '*.pptx' \\) -print0 |"
            " xargs -0 -n1 sh -c 'unzip -qq -p \"$0\" content.xml word/document.xml xl/sharedStrings.xml \"ppt/slides/*.xml\" 2>/dev/null'",
        'reading all archives': f"find {q} {zips} | xargs -0 -n1 unzip -qq -p; find {q} {tars} | xargs -0 -n1 tar -xOf",
    }
    out = {name: measure.run(['sh', '-c', command])['cpu_s'] for name, command in steps.items()}
    shutil.rmtree(unpacked, ignore_errors=True)
    out['FTS5 alone, writing the text'] = fts5_floor(corpus, env, work)
    return out


def known_items(items, search):
    """Counts the items that an AND query for their words lists among its first 20 results."""
    return sum(i['path'] in search(i['words']) for i in items)


def recoll(args, corpus):
    home = tempfile.mkdtemp(dir=args.work, prefix='recoll.')
    env = environment(args, home)
    conf = home + '/.recoll'
    os.makedirs(conf)
    with open(conf + '/recoll.conf', 'w') as f:
        f.write(f'topdirs = {corpus}\nloglevel = 2\n')
    first = measure.run(['recollindex', '-c', conf], env, conf)
    again = measure.run(['recollindex', '-c', conf], env, conf)
    return first, again, measure.du(conf), lambda w: output(['recollq', '-c', conf, '-n', '20', ' '.join(w)], env)


def index(args):
    corpus = os.path.realpath(args.corpus)
    items = json.load(open(args.known)) if args.known else []
    print('| first index | CPU s | wall s | peak PSS MiB | index MB | peak disk MB | written MB | again CPU s | known items |')
    print('|---|---:|---:|---:|---:|---:|---:|---:|---:|')
    home, env = make_home(args, corpus)
    data = home + '/.local/share/tarsier'
    first = measure.run(['tarsierd', '--once'], env, home)
    again = measure.run(['tarsierd', '--once'], env, home)
    size, cache = measure.du(data), measure.du(home + '/.cache') if os.path.isdir(home + '/.cache') else 0
    found = known_items(items, lambda w: output(['tarsier', 'search', '-n', '20', *w], env))
    row('tarsier', first['cpu_s'], first['wall_s'], first['peak_pss_mib'], size / 1e6, first['peak_disk_mb'], first['written_mb'],
        again['cpu_s'], f'{found}/{len(items)}')
    ours, st = first, status(env)
    if args.recoll:
        first, again, rsize, search = recoll(args, corpus)
        row('recoll', first['cpu_s'], first['wall_s'], first['peak_pss_mib'], rsize / 1e6, first['peak_disk_mb'], first['written_mb'],
            again['cpu_s'], f'{known_items(items, search)}/{len(items)}')
        print(f"\nCPU: {ours['cpu_s'] / first['cpu_s']:.2f} of Recoll's")
    text = st.get('text_bytes', 0)
    if text:
        print(f"index / text: {size / text:.2f} of {text / 1e6:.1f} MB; text cache {cache / 1e6:.1f} MB; peak disk / text {ours['peak_disk_mb'] * 1e6 / text:.2f}")
    print(f"files {st.get('files')}, documents {st.get('documents')}, failed {st.get('failed')}")
    print('\n| floor | CPU s |\n|---|---:|')
    total = 0
    for name, cpu in floors(corpus, env, home).items():
        total += cpu
        row(name, cpu)
    row('sum', total)
    print(f"\nCPU: {ours['cpu_s'] / total:.2f} of the sum of the floors")
    print(f'home: {home}')


class Daemon:
    def __init__(self, env):
        self.env = env
        self.p = subprocess.Popen(['tarsierd'], env=env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.wait()

    def wait(self):
        for _ in range(6000):
            if subprocess.run(['tarsier', 'status', '--wait=600', '-q'], env=self.env).returncode == 0 and status(self.env).get('pending') == 0:
                return
            time.sleep(0.1)

    def cpu(self):
        return measure.tree_cpu(self.p.pid)

    def stop(self):
        self.p.send_signal(signal.SIGTERM)
        return self.p.wait()


def paths(env, word, n=20):
    return output(['tarsier', 'search', '-n', str(n), '-l', word], env).splitlines()


def until(condition, limit=60):
    start = time.monotonic()
    while time.monotonic() - start < limit:
        if condition():
            return time.monotonic() - start
    return float('nan')


def unique(rnd):
    return 'zq' + ''.join(rnd.choice('bcdfghjklmnprstv') + rnd.choice('aeiou') for _ in range(5))


def write(path, text):
    with open(path, 'w') as f:
        f.write(text)


def change(args):
    live = tempfile.mkdtemp(dir=args.work, prefix='live.')
    shutil.copytree(args.corpus, live + '/files', symlinks=True)
    notes = live + '/files/bench-notes'
    os.makedirs(notes)
    home, env = make_home(args, live)
    daemon, rnd = Daemon(env), random.Random(7)
    base = 'An ordinary paragraph of a note that somebody wrote down in a hurry. ' * 12
    print('| change | p50 ms | p99 ms | max ms | n | daemon CPU ms a change |\n|---|---:|---:|---:|---:|---:|')
    latency, state = {k: [] for k in ('save', 'edit', 'rename', 'delete')}, {}
    for kind in latency:
        daemon.wait()
        time.sleep(3)
        before = daemon.cpu()
        for i in range(args.n):
            time.sleep(0.3 + 0.4 * rnd.random())
            if kind in ('save', 'edit'):
                word = unique(rnd)
                state[i] = (word, f'{notes}/note-{i}.txt')
                write(state[i][1], f'{base}\nmarker {word}\n')
                latency[kind].append(until(lambda: state[i][1] in paths(env, word)))
            elif kind == 'rename':
                word, old = state[i]
                state[i] = (word, f'{notes}/moved-{i}.txt')
                os.rename(old, state[i][1])
                latency[kind].append(until(lambda: paths(env, word) == [state[i][1]]))
            else:
                word, old = state[i]
                os.unlink(old)
                latency[kind].append(until(lambda: paths(env, word) == []))
        time.sleep(1)
        ms = [1e3 * x for x in latency[kind]]
        row(kind, measure.percentile(ms, 50), measure.percentile(ms, 99), max(ms), len(ms), 1e3 * (daemon.cpu() - before) / args.n)
    many(args, live, env, daemon, rnd, base)
    daemon.stop()


def many(args, live, env, daemon, rnd, base):
    """Renames a directory of 1,000 files, then copies a burst of files in."""
    print('\n| many files | seconds until all are found | daemon CPU s | conversions |\n|---|---:|---:|---:|')
    tag, old, new = unique(rnd), live + '/files/thousand', live + '/files/thousand-renamed'
    stage = live + '.stage'
    os.makedirs(stage)
    for i in range(args.burst):
        write(f'{stage}/f{i:05d}.txt', f'{base}\n{tag if i < 1000 else ""} burst{tag} number{i}\n')
    os.makedirs(old)
    for i in range(1000):
        shutil.copyfile(f'{stage}/f{i:05d}.txt', f'{old}/f{i:05d}.txt')
    daemon.wait()
    time.sleep(3)
    before, converted = daemon.cpu(), status(env)['extractions']
    os.rename(old, new)
    took = until(lambda: sum(p.startswith(new + '/') for p in paths(env, tag, 5000)) == 1000)
    daemon.wait()
    row('directory of 1,000 files renamed', took, daemon.cpu() - before, status(env)['extractions'] - converted)
    shutil.rmtree(new)
    daemon.wait()
    time.sleep(3)
    before, converted = daemon.cpu(), status(env)['extractions']
    shutil.copytree(stage, live + '/files/burst', copy_function=shutil.copyfile)
    took = until(lambda: len(paths(env, 'burst' + tag, args.burst + 100)) == args.burst)
    daemon.wait()
    row(f'{args.burst} files copied in', took, daemon.cpu() - before, status(env)['extractions'] - converted)


def ask_ms(env, words):
    start = time.monotonic()
    subprocess.run(['tarsier', 'search', '-n', '20', *words.split()], env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return 1e3 * (time.monotonic() - start)


def query(args):
    env = environment(args, args.home)
    print('| query | hits | median ms | p99 ms | CPU ms |\n|---|---:|---:|---:|---:|')
    for words in args.words:
        before = os.times()
        times = [ask_ms(env, words) for _ in range(args.n)]
        after = os.times()
        cpu = (after.children_user + after.children_system - before.children_user - before.children_system) / args.n
        row(words, output(['tarsier', 'search', '-c', *words.split()], env).strip(), measure.percentile(times, 50), measure.percentile(times, 99), 1e3 * cpu)


def load(args):
    """Searches for the words in turn while the files of MORE are added to an index of CORPUS, and
    as often before and after."""
    home, env = make_home(args, args.corpus)
    subprocess.run(['tarsierd', '--once'], env=env, check=True)

    def ask_each(times):
        for words in args.words:
            times[words].append(ask_ms(env, words))

    quiet, busy = ({words: [] for words in args.words} for _ in range(2))
    for _ in range(args.n):
        ask_each(quiet)
    with open(home + '/.config/tarsier/tarsier.conf', 'w') as f:
        f.write(f'[index]\nroots={os.path.realpath(args.corpus)};{os.path.realpath(args.more)}\n')
    daemon = subprocess.Popen(['tarsierd', '--once'], env=env)
    while daemon.poll() is None:
        ask_each(busy)
    for _ in range(args.n):
        ask_each(quiet)
    print('| query | quiet median ms | p99 ms | during a load median ms | p99 ms | searches | p99 / p99 |\n|---|---:|---:|---:|---:|---:|---:|')
    for words in args.words:
        p99 = [measure.percentile(times[words], 99) for times in (quiet, busy)]
        row(words, measure.percentile(quiet[words], 50), p99[0], measure.percentile(busy[words], 50), p99[1], len(busy[words]), p99[1] / p99[0])
    print(f'home: {home}')


def idle(args):
    home, env = make_home(args, args.corpus)
    daemon = Daemon(env)
    time.sleep(15)
    before = measure.switches(daemon.p.pid)
    time.sleep(20)
    wakeups = (measure.switches(daemon.p.pid) - before) / 20
    pss = measure.tree_pss_mib(daemon.p.pid)
    daemon.stop()
    daemon = Daemon(env)
    start_cpu = daemon.cpu()
    daemon.stop()
    print('| idle | PSS MiB | wakeups a second | CPU s of a start with nothing changed | processes |\n|---|---:|---:|---:|---:|')
    row(args.corpus, pss, wakeups, start_cpu, '')
    print(f'home: {home}')


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument('--build')
    ap.add_argument('--work')
    sub = ap.add_subparsers(dest='verb', required=True)
    p = sub.add_parser('index'); p.add_argument('corpus'); p.add_argument('--recoll', action='store_true'); p.add_argument('--known')
    p = sub.add_parser('change'); p.add_argument('corpus'); p.add_argument('-n', type=int, default=30); p.add_argument('--burst', type=int, default=5000)
    p = sub.add_parser('query'); p.add_argument('home'); p.add_argument('-n', type=int, default=50); p.add_argument('words', nargs='+')
    p = sub.add_parser('load'); p.add_argument('corpus'); p.add_argument('more'); p.add_argument('-n', type=int, default=100); p.add_argument('words', nargs='+')
    p = sub.add_parser('idle'); p.add_argument('corpus')
    args = ap.parse_args()
    args.work = args.work or tempfile.mkdtemp(prefix='tarsier-bench.')
    os.makedirs(args.work, exist_ok=True)
    {'index': index, 'change': change, 'query': query, 'load': load, 'idle': idle}[args.verb](args)


main()
