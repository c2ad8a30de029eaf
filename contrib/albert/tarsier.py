# SPDX-License-Identifier: GPL-3.0-or-later
"""Documents in Albert: type "t " and a query, choose a hit, it opens in its viewer. docs/RECIPES.md tells where to put it."""
import base64, json, os, subprocess, time
import albert

md_iid = '5.0'  # or '4.0', if Albert asks for it; the rest stays as it is
md_version = '1.0'
md_name = 'Tarsier'
md_description = 'Search your documents'
md_license = 'GPL-3.0-or-later'
md_bin_dependencies = ['tarsier']
QueryHandler = getattr(albert, 'GeneratorQueryHandler', None) or albert.TriggerQueryHandler  # of interface 5, or 4
file_icon = getattr(albert, 'makeFileTypeIcon', None) or albert.Icon.fileType  # of interface 4, or 5


def plain(text):
    """One line, without "<": no part of it is taken for markup."""
    return ''.join(c if c.isprintable() else ' ' for c in text).replace('<', '‹')


def place(hit):
    """What "tarsier open" takes, with the bytes of names that are not UTF-8."""
    return b'|'.join(base64.b64decode(hit.get(key + '_b64') or '') or hit[key].encode() for key in ('path', 'member') if hit[key])


def item(hit):
    shown = plain(hit['path'].replace(os.path.expanduser('~') + '/', '~/', 1) + ('|' + hit['member'] if hit['member'] else ''))
    command = ['tarsier', 'open', '--', place(hit)]
    open_it = albert.Action('open', 'Open', lambda: subprocess.Popen(command, start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
    return albert.StandardItem(id=shown, text=plain(hit['title'] or os.path.basename(shown)), subtext=shown, icon_factory=lambda: file_icon(hit['path']), actions=[open_it])


def search(query):
    """The hits as items. If nothing is found or the answer may lack something, the last one tells why."""
    try:
        done = subprocess.run(['tarsier', 'search', '--json', '--no-snippets', '--limit', '30', '--', query], capture_output=True)
    except OSError as error:
        return [albert.StandardItem(id='note', text='tarsier cannot be started', subtext=plain(str(error)))]
    items = [item(hit) for hit in map(json.loads, done.stdout.splitlines()) if hit['type'] == 'hit']
    note = plain(done.stderr.decode(errors='replace').strip().split('\n')[0])
    return items + ([albert.StandardItem(id='note', text=note or 'Nothing found')] if done.returncode != 0 else [])


class Plugin(albert.PluginInstance, QueryHandler):
    def __init__(self):
        albert.PluginInstance.__init__(self)
        QueryHandler.__init__(self)

    def defaultTrigger(self):
        return 't '

    def items(self, context):  # interface 5
        time.sleep(0.1)  # the next letter may come
        if context.isValid and context.query.strip():
            yield search(context.query)

    def handleTriggerQuery(self, query):  # interface 4
        time.sleep(0.1)
        if query.isValid and query.string.strip():
            query.add(search(query.string))
