# SPDX-License-Identifier: GPL-3.0-or-later
"""Two entries in the menu of GNOME Files: "Similar Documents" for a file, "Search Here" for a folder.

Put this file into ~/.local/share/nautilus-python/extensions/; needs python3-nautilus (4.0 or later)."""
import shutil
import subprocess
from gi.repository import GObject, Nautilus

TERMINALS = (('xdg-terminal-exec',), ('gnome-terminal', '--'), ('kgx', '--'), ('konsole', '-e'), ('x-terminal-emulator', '-e'))


def run_in_terminal(command):
    for terminal in TERMINALS:
        if shutil.which(terminal[0]):
            # The shell waits for a key, so that the answer can be read.
            subprocess.Popen([*terminal, 'sh', '-c', '"$@"; printf "\\n[Enter] "; read -r _', 'sh', *command], start_new_session=True)
            return


class TarsierMenu(GObject.GObject, Nautilus.MenuProvider):
    def item(self, name, label, command):
        item = Nautilus.MenuItem(name='Tarsier::' + name, label=label, icon='system-search')
        item.connect('activate', lambda _item: run_in_terminal(command))
        return item

    def get_file_items(self, *arguments):
        files = arguments[-1]
        path = files[0].get_location().get_path() if len(files) == 1 else None
        if not path or files[0].is_directory():
            return []
        return [self.item('similar', 'Similar Documents', ['tarsier', 'similar', '--', path])]

    def get_background_items(self, *arguments):
        path = arguments[-1].get_location().get_path()
        if not path or '"' in path:
            return []
        return [self.item('search', 'Search Here', ['tarsier', 'tui', '--', f'dir:"{path}" '])]
