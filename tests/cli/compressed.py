# SPDX-License-Identifier: GPL-3.0-or-later
"""A compressed file and its only member are one hit, whatever finds them; archives of several members are not."""
import bz2, gzip, json, lzma, os, resource, subprocess, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'bench'))
sys.dont_write_bytecode = True
from daemontest import *
from obvious_home import tarred

tree = os.path.join(HOME, 'docs')
os.mkdir(tree)


def write(name, data):
    os.makedirs(os.path.dirname(os.path.join(tree, name)), exist_ok=True)
    with open(os.path.join(tree, name), 'wb') as f:
        f.write(data)


def run(*arguments):
    done = subprocess.run(['tarsier', *arguments], capture_output=True, timeout=60)
    return done.returncode, done.stdout.decode(), done.stderr.decode(errors='replace')


def hits(*arguments):
    """Returns the hits and the copies of each, as OUTER or OUTER|member below the tree."""
    lines = [json.loads(line) for line in run('search', '--json', '--no-snippets', *arguments)[1].splitlines()]
    return [(os.path.relpath(l['path'], tree) + ('|' + l['member'] if l['member'] else ''), [os.path.relpath(c, tree) for c in l['copies']]) for l in lines if l['type'] == 'hit']


def count(*arguments):
    return run('search', '-c', *arguments)[1].strip()


write('gibbon.txt.gz', gzip.compress(b'a note on the canopy\n'))
write('siamang.log.xz', lzma.compress(b'another note on trees\n'))
write('lemur.txt.bz2', bz2.compress(b'lemur lemur lemur\n'))
write('tapir.tar.gz', tarred({'tapir/one.txt': 'tapir one\n', 'tapir/two.txt': 'tapir two\n'}))
write('okapi.tar.gz', tarred({'okapi/okapi.txt': 'okapi\n'}))
write('quokka.gz', b'no compressed file of quokka\n')
for place in ('a/bonobo.txt.gz', 'b/bonobo.txt.gz', 'b/other.gz'):
    write(place, gzip.compress(b'the bonobo sleeps\n', mtime=1))
run('-q', 'add', tree)
equal(run('-q', 'index')[0], 0, 'the files are indexed')

# ---- one hit
for query in ('gibbon', 'gibbon.txt', 'gibbon.txt.gz', 'gibbon canopy', 'gibbon OR canopy', 'ext:gz gibbon', 'gibb*', '*ibbo*', 'name:gibbon'):
    equal([name.split('|')[0] for name, _ in hits(query)], ['gibbon.txt.gz'], f'one hit: {query}')
    equal(count(query), '1', f'it counts as one: {query}')
for query, name in (('siamang', 'siamang.log.xz'), ('lemur', 'lemur.txt.bz2')):
    equal([found.split('|')[0] for found, _ in hits(query)], [name], f'one hit: {query}')
equal(hits('lemur')[0][0], 'lemur.txt.bz2|lemur.txt', 'the member is shown where its text makes it the better one')
equal([name for name, _ in hits('okapi')], ['okapi.tar.gz|okapi/okapi.txt'], 'an archive of one member is one hit with it')
equal([name for name, _ in hits('-n', '1', '-o', '1', 'gibbon')], [], 'the next page does not repeat it')
equal([name.split('|')[0] for name, _ in hits('-s', 'path', 'gibbon')], ['gibbon.txt.gz'], 'one hit in the order of paths')

# ---- only one of the two
equal([name for name, _ in hits('canopy')], ['gibbon.txt.gz|gibbon.txt'], 'the text finds the member')
equal([name for name, _ in hits('gibbon type:archive')], ['gibbon.txt.gz'], 'a filter chooses the file')
equal([name for name, _ in hits('gibbon is:member')], ['gibbon.txt.gz|gibbon.txt'], 'a filter chooses the member')

# ---- not one
equal(sorted(name for name, _ in hits('--dups', 'show', 'gibbon')), ['gibbon.txt.gz', 'gibbon.txt.gz|gibbon.txt'], '--dups show shows both')
equal(sorted(name for name, _ in hits('tapir')), ['tapir.tar.gz', 'tapir.tar.gz|tapir/one.txt', 'tapir.tar.gz|tapir/two.txt'], 'an archive of two members is a hit of its own')
equal([name for name, _ in hits('quokka')], ['quokka.gz'], 'a file that only has the name is a hit')

# ---- copies
found = hits('bonobo')
equal(len(found), 1, 'equal compressed files are one hit')
files = sorted({name.split('|')[0] for name in [found[0][0], *found[0][1]]})
equal(files, ['a/bonobo.txt.gz', 'b/bonobo.txt.gz', 'b/other.gz'], 'every file is named')
equal(len(found[0][1]), 2, 'and none is named twice')
found = hits('filename:bonobo type:archive')
equal(sorted([found[0][0], *found[0][1]]), ['a/bonobo.txt.gz', 'b/bonobo.txt.gz', 'b/other.gz'], 'copies of the file itself are files')

# ---- many members
many = {f'tarsius/{i}.txt': f'number {i}\n' for i in range(6000)}
write('tarsius.tar.gz', tarred(many))
write('galago.tar', gzip.decompress(tarred(many)))
equal(run('-q', 'index')[0], 0, 'archives of many members are indexed')


def cpu(query):
    """Returns the answers and the least CPU time of three searches."""
    times, answers = [], set()
    for _ in range(3):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        answers.add(count(query))
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        times.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return answers, min(times)


answers, plain = cpu('galago')
equal(answers, {'6001'}, 'the name of an archive finds its members')
answers, packed = cpu('tarsius.tar.gz')
equal(answers, {'6001'}, 'compressed or not')
ok(packed < 5 * plain, 'and the members of the compressed one are not counted for each of them', f'{packed:.3f} s, {plain:.3f} s')
print(f'# {packed:.3f} s, {plain:.3f} s')
finish()
