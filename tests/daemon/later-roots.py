# SPDX-License-Identifier: GPL-3.0-or-later
"""Roots that a confined daemon may not read, because they came after its start: it has agents read
them, without a new start, and finds what is saved there at once."""
import json, os, shutil, signal, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
from daemontest import *

config = os.path.join(HOME, '.config/tarsier/tarsier.conf')
places = {name: os.path.join(HOME, name) for name in ('added', 'absent', 'replaced', 'linked', 'aside', 'after', 'last')}


def put(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, 'w') as f:
        f.write(text)


def tarsier(*arguments):
    return subprocess.run(['tarsier', *arguments], capture_output=True, text=True)


def found(words):
    return tarsier('search', '-l', words).stdout.split()


def finds(name, words, *paths):
    daemon.sync()
    return equal(found(words), list(paths), name)


def equals(name, *tops):
    daemon.sync()
    equal([difference for top in tops for difference in differences(top)
           if not any(other in difference for other in tops if other != top)], [], name)


os.makedirs(TREE)
put(TREE + '/first.txt', 'a marmoset at the start')
put(places['replaced'] + '/old.txt', 'a capuchin of the old directory')
configure(roots=[TREE, places['replaced'], places['absent']])
daemon = Daemon()
confined = daemon.status()['confinement'] in ('full', 'landlock')
pid = daemon.process.pid
finds('a root of the start is read', 'marmoset', TREE + '/first.txt')
equal(agents(pid), [], 'no agent reads for it')

# ---- a root that is added
put(places['added'] + '/before.txt', 'a macaque from before')
put(places['added'] + '/in/deeper/page.html', '<p>a guenon deep inside')
added = tarsier('add', places['added'])
ok(added.returncode == 0, 'a root is added to a running daemon', added.stderr)
finds('its files are found', 'macaque', places['added'] + '/before.txt')
finds('those in its directories too', 'guenon', places['added'] + '/in/deeper/page.html')
if confined:
    ok(agents(pid), 'an agent reads it')
else:
    skip('an agent reads it', 'the daemon is not confined')
put(places['added'] + '/saved.txt', 'a langur saved now')
finds('what is saved there is found', 'langur', places['added'] + '/saved.txt')
os.rename(places['added'] + '/saved.txt', TREE + '/moved.txt')
finds('what is moved from there to another root is found', 'langur', TREE + '/moved.txt')
put(places['added'] + '/.tarsierignore', 'secret*\n')
put(places['added'] + '/secret.txt', 'a gibbon that is ignored')
finds('rules of directories apply there', 'gibbon')
os.unlink(places['added'] + '/.tarsierignore')
os.unlink(places['added'] + '/secret.txt')

# ---- a root that appears, and one that is replaced
put(places['absent'] + '/new.txt', 'a colobus in a new root')
finds('a root that appears is read', 'colobus', places['absent'] + '/new.txt')
os.rename(places['replaced'], places['aside'])
put(places['replaced'] + '/new.txt', 'a tamarin of the new directory')
finds('a directory in the place of a root is read', 'tamarin', places['replaced'] + '/new.txt')
finds('what the other one held is gone', 'capuchin')
shutil.rmtree(places['replaced'])
daemon.sync()
status = json.loads(tarsier('status', '--json').stdout)
equal(status['roots_launcher'], status['confinement'], 'the launcher of agents is as confined as the daemon')
put(places['replaced'] + '/third.txt', 'an uakari of the third directory')
finds('and a third one', 'uakari', places['replaced'] + '/third.txt')

# ---- the configuration moves
target = os.path.join(HOME, 'dotfiles/mine.conf')
put(target, '')
shutil.copy(config, target)
os.rename(os.path.dirname(config), os.path.join(HOME, 'old-config'))
os.makedirs(os.path.dirname(config))
os.symlink(target, config)
put(places['linked'] + '/text.txt', 'a saki behind the link')
added = tarsier('add', places['linked'])
ok(added.returncode == 0, 'the configuration may become a link to a directory that the daemon may not read', added.stderr)
finds('and it is read', 'saki', places['linked'] + '/text.txt')
put(config + '.d/more.conf', '[index]\nroots=+;' + places['aside'] + '\n')
finds('so are its further files', 'capuchin', places['aside'] + '/old.txt')
every = [TREE, *(place for place in places.values() if os.path.exists(place))]
equals('the index equals the file system', *every)

# ---- deaths
for victim in agents(pid):
    os.kill(victim, signal.SIGKILL)
put(places['added'] + '/after.txt', 'a drill after the deaths')
finds('an agent that was killed is replaced', 'drill', places['added'] + '/after.txt')


def spare(before=None):
    """Waits for a spare of the launcher other than this one."""
    wait_until('there is a spare', lambda: spare_of(launched) not in (None, before))
    return spare_of(launched)


def launch_by_spare():
    """Kills the launcher; returns the process that takes its place."""
    heir = spare()
    os.kill(launched, signal.SIGKILL)
    return heir


if confined:
    launched = agent_launcher(pid)
    first = spare()
    os.kill(first, signal.SIGKILL)
    ok(spare(first), 'a spare that was killed is replaced')
    launched = launch_by_spare()
    put(places['after'] + '/text.txt', 'a mandrill of a root after the death')
    tarsier('add', places['after'])
    finds('a root that is added after the launcher was killed is read', 'mandrill', places['after'] + '/text.txt')
    put(places['added'] + '/later.txt', 'a talapoin after the death')
    finds('those of before are read on', 'talapoin', places['added'] + '/later.txt')
    with open(config) as f:
        good = f.read()
    put(config, 'no configuration\n')
    launched = launch_by_spare()
    put(places['after'] + '/more.txt', 'a vervet of a broken configuration')
    finds('a second launcher knows the roots too, while the configuration is broken', 'vervet', places['after'] + '/more.txt')
    put(config, good)
else:
    skip('a launcher that was killed is replaced', 'the daemon is not confined')
equal(daemon.process.pid, pid, 'the daemon was never started anew')
left = [*filter(None, [agent_launcher(pid)])] + ([launched, spare(), *all_children(launched)] if confined else [])
daemon.stop()
ok(wait_until('they end', lambda: not any(name_of(each).startswith('tarsier-') for each in left), 60),
   'the launcher of agents, its spare and the agents end with the daemon')

# ---- a new start
daemon = Daemon()
every = [TREE, *(place for place in places.values() if os.path.exists(place))]
equals('after a new start the index equals the file system', *every)
equal(agents(daemon.process.pid), [], 'which reads all roots by itself')
if confined:
    launched = agent_launcher(daemon.process.pid)
    heir = spare()
    for each in (launched, heir):
        os.kill(each, signal.SIGSTOP)
    for each in (heir, launched):
        os.kill(each, signal.SIGKILL)
    put(places['last'] + '/text.txt', 'a proboscis of a last root')
    tarsier('add', places['last'])
    ok(wait_until('it is told', lambda: 'the launcher of agents has ended' in log_text()), 'if its spare is killed too, the daemon tells it')
    finds('and goes on', 'marmoset', TREE + '/first.txt')
    daemon.stop()
    daemon = Daemon()
    finds('the next start reads the new root', 'proboscis', places['last'] + '/text.txt')
shutil.rmtree(places['added'])
tarsier('remove', places['added'])
finds('a root that is removed is forgotten', 'macaque')
daemon.stop()
finish()
