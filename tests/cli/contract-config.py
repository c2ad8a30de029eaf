# SPDX-License-Identifier: GPL-3.0-or-later
"""The places of the configuration, what it warns of and refuses, the modes of our files whatever the
umask, and everything that is left out, with the rule that info names."""
import io, json, os, stat, sys, tarfile, zipfile
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests'))
from tap import *

HOME = os.environ['HOME']
docs = HOME + '/docs'


def put(path, text='x\n'):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, 'w') as f:
        f.write(text)


def modes(top):
    """Returns the modes of everything below a directory, and of itself, that are not 0700 and 0600."""
    wrong = {}
    for directory, _, files in os.walk(top):
        for path in [directory] + [os.path.join(directory, name) for name in files]:
            st = os.lstat(path)
            if stat.S_IMODE(st.st_mode) != (0o700 if stat.S_ISDIR(st.st_mode) else 0o600):
                wrong[path] = oct(st.st_mode)
    return wrong


# ---- the files of the configuration
env = {'XDG_CONFIG_HOME': HOME + '/etc/mine', 'XDG_CONFIG_DIRS': HOME + '/etc/system', 'XDG_DATA_HOME': HOME + '/var/data',
       'XDG_CACHE_HOME': HOME + '/var/cache'}
put(docs + '/a.txt', 'pelican\n')
put(HOME + '/etc/system/tarsier/tarsier.conf', '[limits]\ndepth=2\nmembers=20\nratio=200\n')
put(HOME + '/etc/system/tarsier/tarsier.conf.d/a.conf', '[limits]\nmembers=21\n')
put(HOME + '/etc/mine/tarsier/tarsier.conf', f'[index]\nroots={docs}\n[limits]\nratio=201\ntime=11\nbogus=1\n[nonsense]\na=b\n')
put(HOME + '/etc/mine/tarsier/tarsier.conf.d/b.conf', '[limits]\ntime=12\n')
mine = HOME + '/etc/mine/tarsier/tarsier.conf'
for key, value, where in (('depth', '2', 'system/tarsier/tarsier.conf:2'), ('members', '21', 'system/tarsier/tarsier.conf.d/a.conf:2'),
                          ('ratio', '201', 'mine/tarsier/tarsier.conf:4'), ('time', '12', 'mine/tarsier/tarsier.conf.d/b.conf:2')):
    code, out, err = tarsier('config', 'get', 'limits.' + key, '--json', env=env)
    ok(f'limits.{key} is that of {where}', code == 0 and f'"value":"{value}","origin":"{HOME}/etc/{where}"' in out, (out, err))
code, out, err = tarsier('config', 'check', env=env)
ok('an unknown key and section are warnings with file and line',
   code == 0 and f'{mine}:6: unknown key: bogus\n' in err and f'{mine}:7: unknown section: nonsense\n' in err, (code, err))
code, out, err = tarsier('index', env=env)
ok('an index is made all the same', code == 0 and tarsier('pelican', env=env)[1] == docs + '/a.txt\n', err)
for verb in ('index', 'compact'):
    code, out, err = tarsier(verb, env=env)
    ok(f'{verb} tells each warning once', code == 0 and err.count('unknown key: bogus') == 1 and err.count('unknown section: nonsense') == 1, err)
code, out, err = tarsier('-q', 'index', env=env)
ok('with -q it tells none', (code, out, err) == (0, '', ''), err)
ok('index, cache and hits are in their places', all(map(os.path.exists, (HOME + '/var/data/tarsier/index.db', HOME + '/var/cache/tarsier/text.db',
   os.environ['XDG_RUNTIME_DIR'] + '/tarsier/last-search'))))
code, out, err = tarsier('pelican', env={'TARSIER_CONFIG': mine, 'TARSIER_INDEX': HOME + '/var/data/tarsier'})
ok('TARSIER_CONFIG and TARSIER_INDEX say both', out == docs + '/a.txt\n', (code, err))

# ---- modes
for mask in (0o000, 0o022, 0o277, 0o777):
    places = {name: f'{HOME}/umask/{mask:03o}/{name}' for name in ('XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_CACHE_HOME', 'XDG_RUNTIME_DIR')}
    os.makedirs(places['XDG_RUNTIME_DIR'], 0o700)
    before = os.umask(mask)
    done = [tarsier(*words, env=places)[0] for words in (('add', docs), ('-q', 'index'), ('pelican',), ('saved', 'add', 'bird', 'pelican'),
                                                           ('config', 'set', 'limits.depth', '4'))]
    os.umask(before)
    ok(f'directories have mode 0700 and files 0600 with the umask {mask:03o}',
       done == [0] * 5 and not (wrong := modes(f'{HOME}/umask/{mask:03o}/XDG_DATA_HOME/tarsier') | modes(f'{HOME}/umask/{mask:03o}/XDG_CACHE_HOME/tarsier') |
       modes(f'{HOME}/umask/{mask:03o}/XDG_CONFIG_HOME/tarsier') | modes(f'{HOME}/umask/{mask:03o}/XDG_RUNTIME_DIR/tarsier')), (done, wrong))

# ---- the default root
code, out, err = tarsier('add')
ok('add names the home directory before it adds it', code == 0 and err.index('home directory, ' + HOME) < err.index('is now watched'), err)
tarsier('remove', HOME)

# ---- what is left out, and why
kept = ['plain/target/a', 'plain/build/a', 'plain/venv/a', 'fake/a', 'ignore/a.txt', 'deep/notes/a', 'talk.key', 'chain.pem', '.hidden/a']
left_out = {
    'version control system': ['.git/a', '.hg/a', '.svn/a', '.bzr/a', '_darcs/a', 'CVS/a'],
    'dependencies or build output': ['node_modules/a', '__pycache__/a', '.tox/a', '.venv/a', '.gradle/a', 'rust/target/a', 'c/build/a', 'py/venv/a', 'go/vendor/a'],
    'it is a cache': ['.cache/a', '.thumbnails/a', '.mypy_cache/a'],
    'trash': ['.Trash-1000/a', '.Trash/a', 'share/Trash/files/a', 'lost+found/a', '$RECYCLE.BIN/a'],
    'snapshots': ['.snapshots/a', '.zfs/a'],
    'keys or passwords': ['.ssh/a', '.gnupg/a', '.pki/a', '.password-store/a', 'keyrings/a', '.kube/a', '.aws/a', 'safe.kdbx', 'id_rsa', 'id_ed25519',
                          'server.key', 'tls/private.key', 'privkey.pem', 'tls-key.pem', 'cert.p12', 'putty.ppk', '.netrc'],
    'browser profile': ['.mozilla/firefox/a', 'google-chrome/a', 'chromium/a'],
    '.tarsierignore:1: *.tmp': ['ignore/a.tmp', 'ignore/b/a.tmp'],
    'CACHEDIR.TAG': ['tagged/a'],
    '.nomedia': ['nomedia/a'],
    '.trackerignore': ['tracker/a'],
    '.noindex': ['noindex/a', 'noindex/b/a'],
}
beside = {'CVS/Entries': '', 'rust/Cargo.toml': '', 'c/configure.ac': '', 'py/venv/pyvenv.cfg': '', 'go/vendor/modules.txt': '', 'share/Trash/info/a': '',
          'chromium/Local State': '', 'ignore/.tarsierignore': '*.tmp\n', 'fake/CACHEDIR.TAG': 'Signature: none\n',
          'tagged/CACHEDIR.TAG': 'Signature: 8a477f597d28d172789f06886806bc55\n', 'nomedia/.nomedia': '', 'tracker/.trackerignore': '', 'noindex/.noindex': ''}
rules = HOME + '/rules'
everything = [path for paths in left_out.values() for path in paths]
for path in everything + kept:
    put(f'{rules}/{path}', 'walrus\n')
for path, text in beside.items():
    put(f'{rules}/{path}', text)
put(HOME + '/.config/tarsier/tarsier.conf', f'[index]\nroots={rules}\nhidden=*\n')
parcel = io.BytesIO()
with zipfile.ZipFile(parcel, 'w') as z:
    z.writestr('inner/.aws/credentials', 'walrus\n')
    z.writestr('inner/plain.txt', 'walrus\n')
with tarfile.open(rules + '/backup.tar', 'w') as tar:
    for name, data in [('home/' + path, b'walrus\n') for path in left_out['keys or passwords'] + ['id_rsa.pub', 'docs/a.txt']] + [('parcel.zip', parcel.getvalue())]:
        entry = tarfile.TarInfo(name)
        entry.size = len(data)
        tar.addfile(entry, io.BytesIO(data))
in_backup = ['backup.tar|home/docs/a.txt', 'backup.tar|home/id_rsa.pub', 'backup.tar|parcel.zip|inner/plain.txt']
code, out, err = tarsier('index')
ok('a tree with everything is indexed', code == 0, err)
found = sorted(os.path.relpath(path, rules) for path in tarsier('-0', '--dups', 'show', 'walrus')[1].split('\0') if path)
ok('nothing is found but what should be, also in containers', found == sorted(kept + in_backup), (set(found) ^ set(kept + in_backup)))
ok('nor the name of a secret in a container', tarsier('-q', 'name:safe.kdbx')[0] == 1)
code, out, err = tarsier('info', *(f'{rules}/{path}' for path in everything))
told = dict(zip(everything, out.split('\n' + rules)))
for why, paths in left_out.items():
    wrong = {path: told[path] for path in paths if why not in told[path]}
    ok(f'info says "{why}" where it applies', not wrong, wrong)
wrong = {path: out for path in ('home/.ssh/a', 'home/safe.kdbx', 'parcel.zip|inner/.aws/credentials')
         if 'keys or passwords' not in (out := tarsier('info', f'{rules}/backup.tar|{path}')[1])}
ok('info says so of a member too', not wrong, wrong)
n_secrets = len(left_out['keys or passwords']) + 1


def excluded():
    return [json.loads(tarsier('info', '--json', f'{rules}/backup.tar{member}')[1])['members_excluded'] for member in ('', '|parcel.zip|inner/plain.txt')]


ok('info counts the members that are kept out', excluded() == [n_secrets, 0], excluded())
ok('and says so in words', f'; {n_secrets} excluded: keys or passwords\n' in (out := tarsier('info', f'{rules}/backup.tar')[1]), out)
skipped = 'version-control;builds;caches;trash;snapshots;browsers'
secrets = [f'backup.tar|home/{path}' for path in left_out['keys or passwords']] + ['backup.tar|parcel.zip|inner/.aws/credentials']


def members():
    tarsier('index')
    return sorted(os.path.relpath(path, rules) for path in tarsier('-0', '--dups', 'show', 'walrus')[1].split('\0') if '|' in path)


put(HOME + '/.config/tarsier/tarsier.conf', f'[index]\nroots={rules}\nhidden=*\nskip={skipped}\n')
ok('once secrets are not skipped, those in containers are found', (found := members()) == sorted(in_backup + secrets),
   set(found) ^ set(in_backup + secrets))
ok('and info counts no member that is kept out', excluded() == [0, 0], excluded())
put(HOME + '/.config/tarsier/tarsier.conf', f'[index]\nroots={rules}\nhidden=*\nskip={skipped};secrets\n')
ok('and once they are again, they are not', (found := members()) == in_backup, set(found) ^ set(in_backup))
put(HOME + '/.config/tarsier/tarsier.conf', f'[index]\nroots={rules}\n')
tarsier('index')
code, out, err = tarsier('info', rules + '/.hidden/a')
ok('hidden entries are skipped unless listed', code == 1 and 'hidden entries are skipped' in out, out)
code, out, err = tarsier('info', HOME + '/.local/share/tarsier/index.db')
ok('our own directories are not watched', code == 1, out)
done_testing()
