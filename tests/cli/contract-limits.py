# SPDX-License-Identifier: GPL-3.0-or-later
"""Each limit of the configuration is visible when it cuts a file, and a changed limit applies at once:
what a lower one kept out is read, and what is larger than a lower limit of files leaves the index."""
import io, json, os, random, sys, zipfile
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests'))
from tap import *

HOME = os.environ['HOME']
docs = HOME + '/docs'
conf = HOME + '/.config/tarsier/tarsier.conf'
os.mkdir(docs)
random.seed(4)


def put_zip(path, members):
    with zipfile.ZipFile(path, 'w', zipfile.ZIP_DEFLATED) as box:
        for name, data in members.items():
            box.writestr(name, data)


def nested(levels):
    data, name = b'deepestword', 'deep.txt'
    for level in range(levels):
        box = io.BytesIO()
        put_zip(box, {name: data})
        data, name = box.getvalue(), f'level{level}.zip'
    return data


def words(n):
    return ' '.join(f'{random.getrandbits(40):x}' for _ in range(n))


def failures():
    """Returns the reason of each file that is listed, members under their container."""
    rows = map(json.loads, tarsier('failed', '--json')[1].splitlines())
    return {os.path.basename(row['path']): row['reason'] for row in rows}


def configure(**limits):
    with open(conf + '.new', 'w') as f:
        f.write(f'[index]\nroots={docs}\n[daemon]\ndisk-reserve=0\n[limits]\n')
        f.write(''.join(f'{name}={value}\n' for name, value in limits.items()))
    os.rename(conf + '.new', conf)


with open(docs + '/large.txt', 'w') as f:
    f.write('largeword ' + 'x ' * 60000)
with open(docs + '/long.txt', 'w') as f:
    f.write(words(3000) + ' endword')
put_zip(docs + '/members.zip', {f'{i}.txt': f'member{i}' for i in range(6)})
with open(docs + '/deep.zip', 'wb') as f:
    f.write(nested(4))
put_zip(docs + '/unpacked.zip', {'a': bytes(600000), 'b': bytes(600000), 'c.txt': 'unpackedword'})
put_zip(docs + '/ratio.zip', {'a': bytes(12000000), 'b': bytes(12000000), 'c.txt': 'ratioword'})

os.makedirs(os.path.dirname(conf))
low = {'file': '100 KiB', 'text': '4 KiB', 'members': 4, 'depth': 2, 'unpacked': '1 MiB', 'ratio': 10000}
configure(**low)
code, out, err = tarsier('index')
ok('an index with low limits is made', code == 0, err)
wanted = {'large.txt': 'too-large', 'long.txt': 'text-limit', 'members.zip': 'members-limit', 'deep.zip': 'depth-limit',
          'unpacked.zip': 'unpacked-limit', 'ratio.zip': 'unpacked-limit'}
got = failures()
ok('failed names each limit that was reached', got == wanted, got)
low.update(unpacked='100 MiB', ratio=20)
configure(**low)
tarsier('index')
wanted.pop('unpacked.zip')
got = failures()
ok('a higher limit of unpacked bytes leaves the ratio', got == wanted and tarsier('-q', 'unpackedword')[0] == 0, got)
for word in ('largeword', 'endword', 'member5', 'deepestword', 'ratioword'):
    code, out, err = tarsier(word)
    ok(f'{word} is behind a limit, and the footer says so', code == 1 and 'Incomplete:' in err, (out, err))
for name, reason in wanted.items():
    code, out, err = tarsier('info', docs + '/' + name)
    ok(f'info of {name} tells', code == 0 and ('reason' in out or 'read in part' in out), out)

daemon = subprocess.Popen(['tarsierd'], stderr=subprocess.DEVNULL)
wait_until('the daemon answers', lambda: '"running":true' in tarsier('status', '--json')[1])
for name, value, word, file in (('text', '10 MiB', 'endword', 'long.txt'), ('file', '1 MiB', 'largeword', 'large.txt'),
                                ('members', 10, 'member5', 'members.zip'), ('depth', 5, 'deepestword', 'deep.zip'),
                                ('ratio', 10000, 'ratioword', 'ratio.zip')):
    low[name] = value
    configure(**low)
    synced = tarsier('status', '--wait=30')
    code, out, err = tarsier(word)
    wanted.pop(file)
    ok(f'a higher {name} reads what the lower one kept out', code == 0 and docs + '/' + file in out, (synced, out, err))
    ok(f'and {file} is listed no more', failures() == wanted, failures())
low['file'] = '100 KiB'
configure(**low)
tarsier('status', '--wait=30')
code, out, err = tarsier('largeword')
ok('a lower limit of files takes the text of larger ones out', code == 1 and failures() == {'large.txt': 'too-large'}, (out, failures()))
code, out, err = tarsier('name:large')
ok('they are still found by name', out == docs + '/large.txt\n', (out, err))

# ---- retry takes what failed lists
low['text'] = '4 KiB'
configure(**low)
tarsier('status', '--wait=30')
with open(docs + '/short.txt', 'w') as f:
    f.write(words(3000) + ' otherword')
tarsier('status', '--wait=30')
ok('a text is cut', failures().get('short.txt') == 'text-limit', failures())
code, out, err = tarsier('retry', docs + '/short.txt')
ok('retry queues a file that was read in part', code == 0 and '1 file is queued again' in err, (code, err))
tarsier('status', '--wait=30')
code, out, err = tarsier('retry')
ok('retry without a file queues all that failed lists', code == 0 and '2 files are queued again' in err, (code, err))
daemon.terminate()
daemon.wait()
low['file'] = '1 MiB'
configure(**low)
code, out, err = tarsier('index')
ok('a limit that changed while no daemon ran counts too', tarsier('largeword')[1] == docs + '/large.txt\n', (err, failures()))
done_testing()
