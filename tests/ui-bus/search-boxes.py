# SPDX-License-Identifier: GPL-3.0-or-later
"""The search boxes of GNOME Shell and KRunner, asked by gdbus: what is found and how it is told,
what opens, which files the desktops find the service by."""
import configparser, os, shutil, subprocess, sys, urllib.parse, zipfile
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/ui-bus'))
from bustest import *

bin, log = TMP + '/bin', TMP + '/log'
os.environ['PATH'] = bin + ':' + os.environ['PATH']
os.environ['XDG_CONFIG_HOME'] = HOME + '/.config'
os.environ['XDG_CURRENT_DESKTOP'] = ''
os.environ['DISPLAY'] = ':bus-test'
os.environ.pop('WAYLAND_DISPLAY', None)
begin()


def program(name, script):
    os.makedirs(bin, exist_ok=True)
    with open(f'{bin}/{name}', 'w') as f:
        f.write('#!/bin/sh\n' + script)
    os.chmod(f'{bin}/{name}', 0o755)


def write_doc(name, text):
    with open(os.path.join(os.fsencode(DOCS), os.fsencode(name)), 'w') as f:
        f.write(text)
    return os.path.join(DOCS, os.fsdecode(name))


def names(ids):
    return [os.path.basename(urllib.parse.unquote(id.replace('|', '/'))) for id in ids]


def started(command):
    """Runs the command; returns the words that a program below bin was started with."""
    if os.path.exists(log):
        os.remove(log)
    command()
    wait_until('the program is started', lambda: os.path.exists(log))
    return open(log).read().split('\n')[:-1] if os.path.exists(log) else []


def described(text, word):
    """Searches, and waits until the passage with this word has been made: it may come after the first answer."""
    def ready():
        ids = found(text)
        return wait_until('the passage is made', lambda: [m for m in metas(ids) if word in m['description']], 3)
    return wait_until('a passage is made at all', ready, 60) or []


RECORD = f'printf "%s\\n" "${{0##*/}}" "$@" >"{log}.part"; mv "{log}.part" "{log}"\n'
real_gio = shutil.which('gio')
program('gio', f'if [ "$1" = mime ]; then exec {real_gio or "false"} "$@"; fi\n' + RECORD)
program('xdg-terminal-exec', RECORD)
program('evince', RECORD)
os.makedirs(data + '/applications', exist_ok=True)
with open(data + '/applications/evince.desktop', 'w') as f:
    f.write('[Desktop Entry]\nType=Application\nName=Evince\nExec=evince %U\nMimeType=application/pdf;\n')
os.makedirs(HOME + '/.config', exist_ok=True)
with open(HOME + '/.config/mimeapps.list', 'w') as f:
    f.write('[Default Applications]\napplication/pdf=evince.desktop\n')

# ---- without an index
os.makedirs(DOCS)
ok(not has_owner(), 'nothing runs before somebody searches')
equal(found('marmoset'), [], 'without an index nothing is found')
ok(has_owner(), 'and the search started the service')

# ---- with one
for i in range(12):
    write_doc(f'many{i}.txt', f'numbered {i} of the otters\n')
write_doc('lemur.txt', 'a single line about something else\n')
write_doc('essay.txt', 'lemur ' * 50 + '\n')
write_doc('marmoset.txt', 'A marmoset eats apples in the garden.\n')
hostile = write_doc('<b>wicked\u202e\n&.txt', 'Notes of the zoo.\nA <b>tapir</b> &amp; \x1b[31m \u202etxt.exe "tapir"\n')
write_doc(b'bad\xff.txt', 'the gibbon of a bad name\n')
with open(DOCS + '/titled.html', 'w') as f:
    f.write('<title>Ocelots &lt;b&gt; &amp; \u202e others</title><p>About the ocelot.</p>')
with zipfile.ZipFile(DOCS + '/box.zip', 'w') as z:
    z.writestr('in/note|1.txt', 'the pelican of the box\n')
shutil.copy(os.environ['abs_top_srcdir'] + '/tests/extractors/data/pdf-basic.pdf', DOCS + '/paper.pdf')
subprocess.run(['tarsier', '-q', 'add', DOCS], check=True)
subprocess.run(['tarsier', '-q', 'index'], check=True)
equal(names(found('marmoset')), ['marmoset.txt'], 'an index that was built meanwhile is found')
equal(names(found('marm')), ['marmoset.txt'], 'a word may be incomplete')
equal(names(found('lemur')), ['lemur.txt', 'essay.txt'], 'names come before text')
equal(len(found('otters')), 10, 'ten hits are shown at most')
equal(found('apples', 'lemur'), [], 'all words must occur')
equal(names(found('"eats', 'apples"')), ['marmoset.txt'], 'words between quotes are a phrase')
equal(names(found('(marmoset')), ['marmoset.txt'], 'a parenthesis may still be open')
equal(names(found('"eats', 'app')), ['marmoset.txt'], 'so may a phrase, at an incomplete word')
equal(names(found('marmoset', 'AND')), ['marmoset.txt'], 'and an operator may wait for its word')
equal(found('size:big'), [], 'a query with a fault finds nothing')
equal(found(), [], 'so does no word')
equal(found('', ' '), [], 'or a blank one')
ids = found('marm')
equal(call(SHELL, 'GetSubsearchResultSet', strings(ids), strings(['marmoset', 'eats'])), ids, 'a search is narrowed')

# ---- what is told
ids = found('marmoset')
meta = described('marmoset', 'apples')
equal([(m['id'], m['name'], m['description']) for m in meta or []], [(ids[0], 'marmoset.txt', '~/docs/marmoset.txt — A marmoset eats apples in the garden.')],
      'a hit has its name, path and passage')
equal(meta and meta[0]['icon'][0], 'themed', 'and an icon')
ok(meta and 'text-plain' in meta[0]['icon'][1], 'of its type', meta)
equal(metas(['/nowhere/at/all', 'nonsense', '', '%zz', '/a%00b', 'file:///etc/passwd', '/' + 'x' * 40000]), [], 'what is not a hit is left out')
equal([m['id'] for m in metas(ids + ['/nowhere'] + ids)], ids * 2, 'and the others stay in order')
equal(metas([urllib.parse.quote(os.environ['abs_top_srcdir'] + '/COPYING')]), [], 'a file that is not indexed is not a hit')
ids = found('tapir')
meta = described('tapir', 'amp')
ok(meta and '<b>tapir</b> &amp;' in meta[0]['description'], 'markup in a passage stays text', meta)
ok(meta and not any(c in meta[0]['description'] + meta[0]['name'] for c in '\u202e\x1b\n'), 'and nothing in it controls or hides', meta)
ok(meta and meta[0]['name'].startswith('<b>wicked\\u{202e}'), 'a name is shown with escapes', meta)
equal(names(ids), [os.path.basename(hostile)], 'its id has the bytes of the path')
equal([m['name'] for m in metas(found('ocelot'))], ['Ocelots <b> &  others'], 'a title is the name')
equal([m['name'] for m in metas(found('gibbon'))], ['bad\\xff.txt'], 'a name that is not UTF-8 is shown')
ids = found('pelican')
equal([(m['name'], m['description'].split(' — ')[0]) for m in metas(ids)], [('note|1.txt', '~/docs/box.zip|in/note|1.txt')], 'a member is told with its container')

# ---- pictures
uri = 'file://' + urllib.parse.quote(DOCS + '/paper.pdf')
import hashlib
thumbnail = f'{HOME}/.cache/thumbnails/normal/{hashlib.md5(uri.encode()).hexdigest()}.png'
os.makedirs(os.path.dirname(thumbnail))
paper = [id for id in found('ext:pdf') if id.endswith('paper.pdf')]
equal([m['icon'][0] for m in metas(paper)], ['themed'], 'without a thumbnail there is the icon')
open(thumbnail, 'w').close()
equal([tuple(m['icon']) for m in metas(paper)], [('file', 'file://' + thumbnail)], 'a thumbnail is the picture')
os.utime(thumbnail, (1, 1))
equal([m['icon'][0] for m in metas(paper)], ['themed'], 'but for one that is older than the file')

# ---- what may be told of now
ids = found('numbered')
gone = urllib.parse.unquote(ids[0])
os.rename(gone, gone + '.away')
equal([m['id'] for m in metas(ids)], ids[1:], 'a hit that is gone is not told of any more')
ok(ids[0] not in found('numbered'), 'nor found')
os.rename(gone + '.away', gone)
if os.getuid() == 0:
    skip('a hit that may not be read is not told of', 'root may read everything')
else:
    os.chmod(gone, 0)
    equal([m['id'] for m in metas(ids)], ids[1:], 'a hit that may not be read is not told of')
    os.chmod(gone, 0o644)

# ---- opening
activate = lambda id, *terms: call(SHELL, 'ActivateResult', id, strings(terms), 'uint32 7')
equal(started(lambda: activate(found('marmoset')[0], 'marmoset')), ['gio', 'open', DOCS + '/marmoset.txt'], 'a hit is opened')
words = started(lambda: activate(found('pelican')[0], 'pelican'))
ok(words[:2] == ['gio', 'open'] and words[2].startswith(os.environ['XDG_RUNTIME_DIR'] + '/tarsier/open/') and open(words[2]).read() == 'the pelican of the box\n',
   'a member is opened as a private copy', words)
equal(started(lambda: call(SHELL, 'LaunchSearch', strings(['--index', '/nowhere', "it's"]), 'uint32 7'))[:1], ['xdg-terminal-exec'], 'more is shown in a terminal')
words = open(log).read().split('\n')[:-1]
equal(words[2:], ['tui', '--', "--index /nowhere it's"], 'by tui, with the words, which are not options')
for id in ('', 'marmoset.txt', '/a%00', '--version', 'file:///etc/passwd%00', '%'):
    ok('InvalidArgs' in (refused(SHELL, 'ActivateResult', f"'{id}'", strings(['x']), 'uint32 1') or ''), f'"{id}" is not a hit that could be opened')

# ---- KRunner
matches = call(RUNNER, 'Match', 'marmoset')
equal([m[:4] for m in matches or []], [(DOCS + '/marmoset.txt', 'marmoset.txt', 'text-plain', 30)], 'KRunner gets id, name, icon and kind')
ok(matches and 0 < matches[0][4] <= 1, 'and how good the match is', matches)
facts = matches[0][5] if matches else {}
ok(facts.pop('subtext', '') in ('~/docs/marmoset.txt', '~/docs/marmoset.txt — A marmoset eats apples in the garden.'), 'with its path, and the passage if it is made in time', matches)
equal(facts, {'category': 'Tarsier', 'actions': ['folder'], 'urls': ['file://' + DOCS + '/marmoset.txt']}, 'its action and its address')
many = call(RUNNER, 'Match', 'otters')
equal([m[4] for m in many], sorted((m[4] for m in many), reverse=True), 'the best match comes first')
ok('urls' not in call(RUNNER, 'Match', 'pelican')[0][5], 'a member has no address')
equal(call(RUNNER, 'Match', 'm'), [], 'a letter is not a search')
equal(call(RUNNER, 'Actions'), [('folder', 'Open Containing Folder', 'document-open-folder')], 'there is one action')
equal(call(RUNNER, 'Config'), {'MinLetterCount': 2, 'Actions': [('folder', 'Open Containing Folder', 'document-open-folder')]}, 'the configuration has it too')
equal(call(RUNNER, 'Teardown'), None, 'the end of a search is told')
service('org.freedesktop.FileManager1', bin + '/manager')
program('manager', RECORD)
gdbus('-d', 'org.freedesktop.DBus', '-o', '/', '-m', 'org.freedesktop.DBus.ReloadConfig')
equal(started(lambda: call(RUNNER, 'Run', DOCS + '/marmoset.txt', 'folder')), ['manager'], 'the file manager is started for a directory')
ok('InvalidArgs' in (refused(RUNNER, 'Run', DOCS + '/marmoset.txt', 'nothing') or ''), 'another action is refused')
ok('InvalidArgs' in (refused(RUNNER, 'Run', 'nothing', 'folder') or ''), 'so is the directory of no hit')
leaf = [m[0] for m in call(RUNNER, 'Match', 'hemp')]
equal(started(lambda: call(RUNNER, 'Run', leaf[0], '')), ['evince', '-i', '2', DOCS + '/paper.pdf'], 'a match is opened at its page')
equal(started(lambda: activate(leaf[0], 'hemp')), ['evince', '-i', '2', DOCS + '/paper.pdf'], 'so is a hit of GNOME Shell')
meta = described('hemp', 'Hemp')
ok(meta and meta[0]['name'] == 'The harbour book' and meta[0]['description'].startswith('~/docs/paper.pdf, p. 2 · Of ropes — '), 'its page is told', meta)

# ---- the files that desktops look for
top = os.environ['abs_top_srcdir'] + '/data/desktop/'


def entry(path, section):
    parser = configparser.ConfigParser(interpolation=None, strict=True)
    parser.optionxform = str
    with open(path) as f:
        parser.read_file(f)
    return dict(parser[section])


provider = entry(top + 'org.tarsier.Search.ini', 'Shell Search Provider')
equal(provider, {'DesktopId': 'org.tarsier.Search.desktop', 'BusName': NAME, 'ObjectPath': PATH, 'Version': '2'}, 'GNOME Shell is told the name and the object')
ok(os.path.exists(top + provider['DesktopId']), 'and an application that there is')
runner = entry(top + 'tarsier.desktop', 'Desktop Entry')
equal([runner['X-Plasma-DBusRunner-Service'], runner['X-Plasma-DBusRunner-Path'], runner['X-Plasma-API']], [NAME, PATH, 'DBus2'], 'so is KRunner')
built = os.environ['abs_top_builddir'] + '/data/'
bus = entry(built + 'desktop/org.tarsier.Search.service', 'D-BUS Service')
unit = entry(built + 'tarsier-bus.service', 'Service')
equal([bus['Name'], unit['BusName'], bus['SystemdService']], [NAME, NAME, 'tarsier-bus.service'], 'D-Bus and systemd start the name')
equal(bus['Exec'], unit['ExecStart'], 'with the same program')
if shutil.which('desktop-file-validate'):
    equal(subprocess.run(['desktop-file-validate', top + 'org.tarsier.Search.desktop', top + 'tarsier.desktop'], capture_output=True, text=True).stdout, '', 'the entries are valid')
else:
    skip('the entries are valid', 'needs desktop-file-validate')
icon = entry(top + 'org.tarsier.Search.desktop', 'Desktop Entry')['Icon']
equal([runner['Icon'], os.path.exists(built + f'desktop/{icon}.svg')], [icon, True], 'both have an icon that is installed')
if shutil.which('appstreamcli'):
    # AppStream 1.0 warns that there is no home page; earlier versions have no such issue, and end with 3.
    for options in ['--override=url-homepage-missing=info'], []:
        done = subprocess.run(['appstreamcli', 'validate', '--no-net', *options, built + 'desktop/org.tarsier.Search.metainfo.xml'], capture_output=True, text=True)
        if done.returncode != 3:
            break
    ok(done.returncode == 0, 'the description for software centres is valid', done.stdout)
else:
    skip('the description for software centres is valid', 'needs appstreamcli')
finish()
