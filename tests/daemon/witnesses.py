# SPDX-License-Identifier: GPL-3.0-or-later
"""The rule of a generic name depends on another file: while the daemon runs, that file comes and
goes, and what the rule excludes leaves the index and returns to it."""
import os, shutil, subprocess, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
from daemontest import *

BESIDE = [('target', 'Cargo.toml'), ('build', 'package.json'), ('cmake-build-debug', 'CMakeLists.txt'),
          ('vendor', 'vendor/modules.txt'), ('bin', 'obj/project.assets.json')]
INSIDE = [('venv', 'pyvenv.cfg'), ('build-arm', 'CMakeCache.txt'), ('x.git', 'objects/pack')]


def indexed(path):
    return os.fsencode(f'{TREE}/{path}') in rows()


def witness(path, there):
    path = f'{TREE}/{path}'
    if there:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        open(path, 'w').close()
    elif os.path.dirname(path).endswith('/obj'):
        shutil.rmtree(os.path.dirname(path))
    else:
        os.unlink(path)


def comes_and_goes(name, inner, path):
    witness(path, True)
    daemon.sync()
    ok(not indexed(inner), f'{name} is excluded when {path} appears')
    witness(path, False)
    daemon.sync()
    ok(indexed(inner), f'{name} is indexed when {path} disappears')
    write(inner, 'other text')
    daemon.sync()
    equal(rows()[os.fsencode(f'{TREE}/{inner}')][8], 0, f'{name} is watched again')


os.makedirs(TREE)
for i, (name, _) in enumerate(BESIDE):
    write(f'b{i}/{name}/lib/deep.txt', f'beside {i}')
for i, (name, _) in enumerate(INSIDE):
    write(f'i{i}/{name}/lib/deep.txt', f'inside {i}')
configure()
daemon = Daemon()
daemon.sync()
same('without witnesses everything is indexed')
for i, (name, path) in enumerate(BESIDE):
    comes_and_goes(name, f'b{i}/{name}/lib/deep.txt', f'b{i}/{path}')
for i, (name, path) in enumerate(INSIDE[:2]):
    comes_and_goes(name, f'i{i}/{name}/lib/deep.txt', f'i{i}/{name}/{path}')
os.makedirs(f'{TREE}/i2/x.git/objects')
daemon.sync()
os.mkdir(f'{TREE}/i2/x.git/objects/pack')
daemon.sync()
ok(not indexed('i2/x.git/lib/deep.txt'), 'a directory two levels below excludes too')
shutil.rmtree(f'{TREE}/i2/x.git/objects')
daemon.sync()
ok(indexed('i2/x.git/lib/deep.txt'), 'and no longer when it disappears')
same('without witnesses everything is indexed again')

# The witness moves in and out.
open(f'{HOME}/Cargo.toml', 'w').close()
os.rename(f'{HOME}/Cargo.toml', f'{TREE}/b0/Cargo.toml')
daemon.sync()
ok(not indexed('b0/target/lib/deep.txt'), 'target is excluded when Cargo.toml moves there')
write('b0/target/lib/later.txt', 'written below an excluded directory')
daemon.sync()
ok(not indexed('b0/target/lib/later.txt'), 'and later files there are not indexed')
os.rename(f'{TREE}/b0/Cargo.toml', f'{TREE}/b1/pom.xml')
daemon.sync()
ok(indexed('b0/target/lib/later.txt'), 'target is indexed when Cargo.toml moves away')

# The order in which "python3 -m venv" makes its files.
os.makedirs(f'{TREE}/py/venv/include')
os.makedirs(f'{TREE}/py/venv/lib/python3/site')
daemon.sync()
write('py/venv/lib/python3/site/early.py', 'early')
write('py/venv/pyvenv.cfg', 'home = /usr/bin')
write('py/venv/bin/activate', 'activate')
write('py/venv/lib/python3/site/late.py', 'late')
daemon.sync()
equal([p for p in rows() if b'/py/venv/' in p], [], 'nothing of a virtual environment is indexed')
shutil.rmtree(f'{TREE}/py')
os.unlink(f'{TREE}/b1/pom.xml')

daemon.sync()
same('the index equals the file system at the end')
finish()
