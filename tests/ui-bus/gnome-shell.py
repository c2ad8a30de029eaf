# SPDX-License-Identifier: GPL-3.0-or-later
"""GNOME Shell itself, without a screen, shows a hit of tarsier-bus and opens it. "make
check-gnome-shell" runs it, and leaves a picture in the build directory; it is not part of "check"."""
import hashlib, json, os, pathlib, re, shutil, struct, subprocess, sys, zlib
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/ui-bus'))
from bustest import *

os.environ['PATH'] = TMP + '/bin:' + os.environ['PATH']
os.environ['DISPLAY'] = ':bus-test'
if not shutil.which('gnome-shell'):
    skip_all('gnome-shell is not there')
begin()
picture, log, opened = os.environ['abs_top_builddir'] + '/gnome-shell.png', TMP + '/shell.log', TMP + '/opened'
os.makedirs(TMP + '/bin')
with open(TMP + '/bin/gio', 'w') as f:
    f.write(f'#!/bin/sh\nif [ "$1" = open ]; then printf "%s\\n" "$2" >"{opened}.part"; mv "{opened}.part" "{opened}"; fi\n')
os.chmod(TMP + '/bin/gio', 0o755)
os.makedirs(DOCS)
for name, text in (('marmoset.txt', 'A marmoset eats apples in the garden of the zoo.\n'), ('report.txt', 'The yearly report of the zoo: one more <b>marmoset</b> & two lemurs.\n')):
    with open(f'{DOCS}/{name}', 'w') as f:
        f.write(text)
chunk = lambda kind, content: struct.pack('>I', len(content)) + kind + content + struct.pack('>I', zlib.crc32(kind + content))
photo = b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', struct.pack('>IIBBBBB', 128, 128, 8, 2, 0, 0, 0)) + chunk(b'IDAT', zlib.compress((b'\0' + b'\xff\0\0' * 64 + b'\0\0\xff' * 64) * 128)) + chunk(b'IEND', b'')
thumbnail = f'{HOME}/.cache/thumbnails/large/' + hashlib.md5(pathlib.Path(f'{DOCS}/capuchin.png').as_uri().encode()).hexdigest() + '.png'
os.makedirs(os.path.dirname(thumbnail))
for path in (f'{DOCS}/capuchin.png', thumbnail):
    with open(path, 'wb') as f:
        f.write(photo)
subprocess.run(['tarsier', '-q', 'add', DOCS], check=True)
subprocess.run(['tarsier', '-q', 'index'], check=True)
for source, place in (('data/desktop/org.tarsier.Search.ini', 'gnome-shell/search-providers/'), ('data/desktop/org.tarsier.Search.desktop', 'applications/'),
                      ('ui-web/icon.svg', 'icons/hicolor/scalable/apps/org.tarsier.Search.svg')):
    os.makedirs(os.path.dirname(f'{data}/{place}'), exist_ok=True)
    shutil.copy(f'{os.environ["abs_top_srcdir"]}/{source}', f'{data}/{place}')

shell = keep(subprocess.Popen(
    ['gnome-shell', '--headless', '--wayland', '--no-x11', '--virtual-monitor', '1280x720', '--unsafe-mode'], stdout=open(log, 'w'), stderr=subprocess.STDOUT,
    env={**os.environ, 'XDG_DATA_DIRS': data + ':/usr/local/share:/usr/share', 'DBUS_SYSTEM_BUS_ADDRESS': os.environ['DBUS_SESSION_BUS_ADDRESS'],
         'LIBGL_ALWAYS_SOFTWARE': '1', 'XDG_CURRENT_DESKTOP': 'GNOME', 'GSETTINGS_BACKEND': 'memory'}))


def shell_says(script):
    """What a script gives within the shell; None if it has no answer."""
    done = gdbus('-d', 'org.gnome.Shell', '-o', '/org/gnome/Shell', '-m', 'org.gnome.Shell.Eval', script)
    answer = value_of(done.stdout) if done.returncode == 0 else (False, '')
    return json.loads(answer[1]) if answer[0] and answer[1] else None


SEARCH = 'Main.overview._overview.controls._searchController._searchResults'
ROWS = SEARCH + '''._providers.filter(p => p.id == "org.tarsier.Search.desktop").map(p =>
    Object.values(p.display._resultDisplays).filter(row => row.get_parent()).map(row => [row.metaInfo.name, row._descriptionLabel.clutter_text.get_text()]))[0]'''


ICONS = ROWS.replace('[row.metaInfo.name, row._descriptionLabel.clutter_text.get_text()]', 'row.metaInfo.createIcon(24).gicon.to_string()')


def type_in(text):
    shell_says(f'Main.overview.searchEntry.set_text({json.dumps(text)}); 1')


def passages():
    type_in('')
    type_in('marmoset')
    return wait_until('the passages are shown', lambda: [row for row in shell_says(ROWS) or [] if 'zoo' in row[1]][1:] and shell_says(ROWS), 3)


ok(wait_until('the shell has started', lambda: shell_says('!Main.layoutManager._startingUp'), 60), 'GNOME Shell starts', open(log).read())
shell_says('Main.overview.show(); 1')
wait_until('the overview is shown', lambda: shell_says('Main.overview.visible && !Main.overview.animationInProgress'))
type_in('marm')
ok(wait_until('hits are shown', lambda: shell_says(ROWS)), 'it shows hits for the first letters')
equal(wait_until('the passages are shown', passages, 60), [['marmoset.txt', '~/docs/marmoset.txt — A marmoset eats apples in the garden of the zoo.'],
      ['report.txt', '~/docs/report.txt — The yearly report of the zoo: one more <b>marmoset</b> & two lemurs.']], 'their names, paths and passages, in which markup is text')
type_in('capuchin')
equal(wait_until('the picture is found', lambda: [name for name, _ in shell_says(ROWS) or []] == ['capuchin.png'] and shell_says(ICONS), 60), [thumbnail], 'a picture is shown by its thumbnail')
type_in('capuchin OR marmoset')
wait_until('all are shown', lambda: len(shell_says(ROWS) or []) == 3, 60)
shell_says('Main.messageTray.visible = false; 1')
done = gdbus('-d', 'org.gnome.Shell.Screenshot', '-o', '/org/gnome/Shell/Screenshot', '-m', 'org.gnome.Shell.Screenshot.Screenshot', 'true', 'false', picture)
ok(done.returncode == 0 and os.path.getsize(picture) > 5000, f'the picture is {picture}', done)
type_in('marmoset')
wait_until('the hits are back', lambda: len(shell_says(ROWS) or []) == 2, 60)
shell_says(SEARCH + '.activateDefault(); 1')
ok(wait_until('the viewer is started', lambda: os.path.exists(opened)), 'Enter opens the first hit')
equal(open(opened).read() if os.path.exists(opened) else '', DOCS + '/marmoset.txt\n', 'in the viewer')
shell.terminate()
finish()
