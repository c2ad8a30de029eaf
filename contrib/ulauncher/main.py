# SPDX-License-Identifier: GPL-3.0-or-later
"""Documents in Ulauncher: type "ts " and a query, choose a hit, it opens in its viewer. docs/RECIPES.md tells where to put it."""
import base64, json, os, subprocess
from ulauncher.api.client.EventListener import EventListener
from ulauncher.api.client.Extension import Extension
from ulauncher.api.shared.action.ExtensionCustomAction import ExtensionCustomAction
from ulauncher.api.shared.action.HideWindowAction import HideWindowAction
from ulauncher.api.shared.action.RenderResultListAction import RenderResultListAction
from ulauncher.api.shared.event import ItemEnterEvent, KeywordQueryEvent
from ulauncher.api.shared.item.ExtensionResultItem import ExtensionResultItem


def plain(text):
    """One line, without "<": no part of it is taken for markup."""
    return ''.join(c if c.isprintable() else ' ' for c in text).replace('<', '‹')


def place(hit):
    """What "tarsier open" takes, with the bytes of names that are not UTF-8."""
    return b'|'.join(base64.b64decode(hit.get(key + '_b64') or '') or hit[key].encode() for key in ('path', 'member') if hit[key])


def entry(name, description='', on_enter=None):
    # Ulauncher would mark the letters of the query in the title, but they were found in the text.
    return ExtensionResultItem(icon='icon.svg', name=plain(name), description=plain(description), highlightable=False, on_enter=on_enter or HideWindowAction())


def search(query):
    """The hits as entries. If nothing is found or the answer may lack something, the last one tells why."""
    try:
        done = subprocess.run(['tarsier', 'search', '--json', '--no-snippets', '--limit', '10', '--', query], stdin=subprocess.DEVNULL, capture_output=True)
    except OSError as error:
        return [entry('tarsier cannot be started', str(error))]
    entries = []
    for hit in map(json.loads, done.stdout.splitlines()):
        if hit['type'] == 'hit':
            shown = hit['path'].replace(os.path.expanduser('~') + '/', '~/', 1) + ('|' + hit['member'] if hit['member'] else '')
            entries.append(entry(hit['title'] or os.path.basename(shown), shown, ExtensionCustomAction(place(hit))))
    note = done.stderr.decode(errors='replace').strip().split('\n')[0]
    return entries + ([entry(note or 'Nothing found')] if done.returncode != 0 else [])


class Search(EventListener):
    def on_event(self, event, extension):
        query = event.get_argument()
        return RenderResultListAction(search(query) if query and query.strip() else [entry('Search your documents', 'words, "phrases", fields')])


class Open(EventListener):
    def on_event(self, event, extension):
        # Ulauncher speaks with this process over its standard streams.
        quiet = {'stdin': subprocess.DEVNULL, 'stdout': subprocess.DEVNULL, 'stderr': subprocess.DEVNULL}
        subprocess.Popen(['tarsier', 'open', '--', event.get_data()], start_new_session=True, **quiet)


if __name__ == '__main__':
    tarsier = Extension()
    tarsier.subscribe(KeywordQueryEvent, Search())
    tarsier.subscribe(ItemEnterEvent, Open())
    tarsier.run()
