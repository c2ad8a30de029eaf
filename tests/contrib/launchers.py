# SPDX-License-Identifier: GPL-3.0-or-later
"""The recipes for the launchers Albert and Ulauncher find documents and open them.

Neither launcher is started: they need a display, and Debian has neither. Each recipe is loaded as its launcher does it,
beside a small strict stand-in for the launcher's public interface, written from its public documentation: albert.pyi of
Albert's Python interface 4.0 and 5.0, and the extension tutorial of Ulauncher for version 2 of its interface. A stand-in
refuses names, arguments and types that the documentation does not have, so a recipe passes only if it keeps to that."""
import ast, importlib.util, json, os, subprocess, sys, types
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests'))
from tap import done_testing, ok, wait_until

CONTRIB = os.environ['abs_top_srcdir'] + '/contrib/'
HOME = os.environ['HOME']
DOCS, OPENED = HOME + '/docs', HOME + '/opened'
HOSTILE = "it's; $(touch x) <b>\u202e|a\nb.txt"
os.makedirs(HOME + '/bin')
os.makedirs(DOCS)
# An opener that records what it is to open, and talks on both of its streams.
for opener in ('gio', 'xdg-open'):
    with open(f'{HOME}/bin/{opener}', 'w') as f:
        f.write(f'#!/bin/sh\n[ "$1" != mime ] || exit 1\necho "I open it"; echo "I warn" >&2\nfor path; do :; done\nprintf "%s\\0" "$path" >>{OPENED}\n')
    os.chmod(f'{HOME}/bin/{opener}', 0o755)
os.environ['PATH'] = HOME + '/bin:' + os.environ['PATH']


def opened():
    if not os.path.exists(OPENED):
        return []
    with open(OPENED, 'rb') as f:
        return f.read().split(b'\0')[:-1]


def opens(path):
    """The opener is started once, with this path."""
    good = wait_until('it is opened', lambda: opened() == [os.fsencode(path)])
    why = opened()
    if os.path.exists(OPENED):
        os.remove(OPENED)
    return good, why


def is_plain(text):
    """A launcher shows it as one line of text: nothing in it controls, hides or is markup."""
    return text.isprintable() and '<' not in text and not any('\ud800' <= c <= '\udfff' for c in text)


# ---- Albert

def load_albert(interface):
    """The plugin in a new module, loaded as Albert does: its metadata are read without running it."""
    albert = types.ModuleType('albert')

    class PluginInstance:
        def __init__(self):
            self.initialized = True

    class Icon:
        pass

    def file_type(path):
        assert isinstance(path, str) and path.encode()
        return Icon()

    class Action:
        def __init__(self, id, text, callable):
            assert isinstance(id, str) and isinstance(text, str)
            self.callable = callable

    class StandardItem:
        def __init__(self, id=None, text=None, subtext=None, icon_factory=None, actions=None, input_action_text=None):
            for value in (id, text, subtext, input_action_text):
                assert value is None or isinstance(value, str) and value.encode()  # a QString is made of it
            assert icon_factory is None or isinstance(icon_factory(), Icon)
            assert all(isinstance(action, Action) for action in actions or [])
            self.id, self.text, self.subtext, self.actions = id, text or '', subtext or '', actions or []

    class Handler:
        def __init__(self):
            self.handles = True

    albert.PluginInstance, albert.Icon, albert.Action, albert.StandardItem = PluginInstance, Icon, Action, StandardItem
    if interface == '5.0':
        Icon.fileType = staticmethod(file_type)
        albert.GeneratorQueryHandler = Handler
    else:
        albert.makeFileTypeIcon = file_type
        albert.TriggerQueryHandler = Handler
    with open(CONTRIB + 'albert/tarsier.py') as f:
        source = f.read()
    if interface != '5.0':
        assert "md_iid = '5.0'" in source
        source = source.replace("md_iid = '5.0'", f"md_iid = '{interface}'")
    path = f'{HOME}/tarsier_{interface[0]}.py'
    with open(path, 'w') as f:
        f.write(source)
    metadata = {target.id: ast.literal_eval(node.value) for node in ast.parse(source).body if isinstance(node, ast.Assign)
                for target in node.targets if isinstance(target, ast.Name) and target.id.startswith('md_')}
    sys.modules['albert'] = albert
    spec = importlib.util.spec_from_file_location('albert.python.tarsier', path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    plugin = module.Plugin()
    assert plugin.initialized and plugin.handles and isinstance(plugin, PluginInstance)
    return metadata, plugin


def albert_items(plugin, interface, query, valid=True):
    """The items that the plugin has for a query, None if it shows nothing."""
    if interface == '5.0':
        batches = list(plugin.items(types.SimpleNamespace(trigger='t ', query=query, isValid=valid)))
    else:
        batches = []
        plugin.handleTriggerQuery(types.SimpleNamespace(trigger='t ', string=query, isValid=valid, add=batches.append))
    assert all(isinstance(batch, list) for batch in batches)
    return sum(batches, []) if batches else None


def test_albert(interface):
    metadata, plugin = load_albert(interface)
    name = f'Albert, interface {interface}:'
    find = lambda query, **options: albert_items(plugin, interface, query, **options)
    ok(f'{name} the metadata are complete', all(isinstance(metadata.get('md_' + key), str) for key in ('iid', 'version', 'name', 'description'))
       and metadata['md_iid'] == interface and metadata['md_bin_dependencies'] == ['tarsier'], metadata)
    ok(f'{name} the trigger ends with a space', plugin.defaultTrigger() == 't ')
    items = find('otter')
    ok(f'{name} a hit has its name and its path', [(i.text, i.subtext) for i in items] == [('river notes.txt', '~/docs/river notes.txt')], [vars(i) for i in items])
    items[0].actions[0].callable()
    ok(f'{name} it opens', *opens(DOCS + '/river notes.txt'))
    items = find('heron')
    ok(f'{name} a title is shown as text', len(items) == 1 and is_plain(items[0].text) and 'Herons' in items[0].text and 'img' in items[0].text, [vars(i) for i in items])
    items = find('badger')
    ok(f'{name} a hostile name is one line of text', len(items) == 1 and is_plain(items[0].text) and is_plain(items[0].subtext), [vars(i) for i in items])
    items[0].actions[0].callable()
    ok(f'{name} it opens by its exact name', *opens(f'{DOCS}/{HOSTILE}'))
    items = find('stoat')
    ok(f'{name} a name that is not UTF-8 is shown', len(items) == 1 and is_plain(items[0].text), [vars(i) for i in items])
    items[0].actions[0].callable()
    ok(f'{name} it opens by its bytes', *opens(os.fsencode(DOCS) + b'/odd\xff.txt'))
    ok(f'{name} hits have different ids', len({i.id for i in find('swims OR digs OR waits')}) == 3, [vars(i) for i in find('swims OR digs OR waits')])
    ok(f'{name} an option is a word', [i.actions for i in find('--version')] == [[]], [vars(i) for i in find('--version')])
    items = find('walrus')
    ok(f'{name} it says that nothing is found', len(items) == 1 and items[0].text and not items[0].actions, [vars(i) for i in items])
    items = find('(otter')
    ok(f'{name} it says what is wrong with a query', len(items) == 1 and is_plain(items[0].text) and not items[0].actions, [vars(i) for i in items])
    ok(f'{name} nothing typed finds nothing', find('') is None and find('  ') is None)
    ok(f'{name} a query that was typed on is not searched for', find('otter', valid=False) is None)


def albert_note(expected):
    """The only item tells this, and does nothing."""
    items = albert_items(load_albert('5.0')[1], '5.0', 'otter')
    return [(expected in (i.text + i.subtext).lower(), i.actions) for i in items] == [(True, [])], [vars(i) for i in items]


# ---- Ulauncher: its extensions are programs, which the modules "ulauncher" of the stand-in connect with this test

STAND_IN = {
    'api/client/EventListener': '''
class EventListener:
    def on_event(self, event, extension):
        pass
''',
    'api/client/Extension': '''
import json, pickle, sys
from ulauncher.api.client.EventListener import EventListener
from ulauncher.api.shared.action.RenderResultListAction import RenderResultListAction
from ulauncher.api.shared.event import ItemEnterEvent, KeywordQueryEvent

class Extension:
    def __init__(self):
        self.preferences, self.listeners = {}, {}

    def subscribe(self, event_class, listener):
        assert isinstance(event_class, type) and isinstance(listener, EventListener)
        self.listeners[event_class] = listener

    def run(self):
        for line in sys.stdin:
            message = json.loads(line)
            if 'enter' in message:
                answer = self.listeners[ItemEnterEvent].on_event(ItemEnterEvent(bytes.fromhex(message['enter'])), self)
                assert answer is None
                print('null', flush=True)
                continue
            answer = self.listeners[KeywordQueryEvent].on_event(KeywordQueryEvent('ts', message['query']), self)
            assert isinstance(answer, RenderResultListAction)
            print(json.dumps([item.told() for item in answer.result_list]), flush=True)
''',
    'api/shared/action/BaseAction': '''
class BaseAction:
    data = None
''',
    'api/shared/action/ExtensionCustomAction': '''
import pickle
from ulauncher.api.shared.action.BaseAction import BaseAction

class ExtensionCustomAction(BaseAction):
    def __init__(self, data, keep_app_open=False):
        self.data = pickle.dumps(data)
''',
    'api/shared/action/HideWindowAction': '''
from ulauncher.api.shared.action.BaseAction import BaseAction

class HideWindowAction(BaseAction):
    pass
''',
    'api/shared/action/RenderResultListAction': '''
from ulauncher.api.shared.action.BaseAction import BaseAction
from ulauncher.api.shared.item.ExtensionResultItem import ExtensionResultItem

class RenderResultListAction(BaseAction):
    def __init__(self, result_list):
        assert isinstance(result_list, list) and all(isinstance(item, ExtensionResultItem) for item in result_list)
        self.result_list = result_list
''',
    'api/shared/event': '''
import pickle

class KeywordQueryEvent:
    def __init__(self, keyword, argument):
        self.get_keyword, self.get_argument = lambda: keyword, lambda: argument

class ItemEnterEvent:
    def __init__(self, data):
        self.get_data = lambda: pickle.loads(data)
''',
    'api/shared/item/ExtensionResultItem': '''
import os, sys
from ulauncher.api.shared.action.BaseAction import BaseAction

class ExtensionResultItem:
    def __init__(self, name='', description='', icon=None, highlightable=True, on_enter=None, on_alt_enter=None):
        assert isinstance(name, str) and isinstance(description, str) and isinstance(on_enter, BaseAction)
        assert os.path.exists(os.path.join(os.path.dirname(sys.argv[0]), icon))
        self.name, self.description, self.highlightable, self.data = name, description, highlightable, on_enter.data

    def told(self):
        return {'name': self.name, 'description': self.description, 'marked': self.highlightable, 'data': self.data.hex() if self.data else None}
''',
}


class Ulauncher:
    """The extension as a program. Its standard streams are Ulauncher's: what it starts may not use them."""

    def __init__(self, path=None):
        self.process = subprocess.Popen([sys.executable, CONTRIB + 'ulauncher/main.py'], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                        text=True, env=dict(os.environ, PYTHONPATH=HOME + '/stand-in', **({'PATH': path} if path else {})))

    def ask(self, **message):
        self.process.stdin.write(json.dumps(message) + '\n')
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        return json.loads(line) if line else self.process.stderr.read()

    def find(self, query):
        return self.ask(query=query)

    def end(self):
        """What the extension, and what it started, wrote beside the answers."""
        return self.process.communicate(timeout=60)


def test_ulauncher():
    with open(CONTRIB + 'ulauncher/manifest.json') as f:
        manifest = json.load(f)
    required = ('required_api_version', 'name', 'description', 'developer_name', 'icon', 'preferences')
    ok('Ulauncher: the manifest has what is required', all(manifest.get(key) for key in required) and set(manifest) <= {*required, 'options'}, manifest)
    ok('Ulauncher: its icon is there', os.path.exists(CONTRIB + 'ulauncher/' + manifest['icon']))
    ok('Ulauncher: it has a keyword', [set(p) == {'id', 'type', 'name', 'description', 'default_value'} and p['type'] for p in manifest['preferences']] == ['keyword'], manifest)
    with open(CONTRIB + 'ulauncher/versions.json') as f:
        ok('Ulauncher: the versions name that of the manifest', [v['required_api_version'] for v in json.load(f)] == [manifest['required_api_version']])
    launcher = Ulauncher()
    find = launcher.find
    items = find('otter')
    ok('Ulauncher: a hit has its name and its path', [(i['name'], i['description']) for i in items] == [('river notes.txt', '~/docs/river notes.txt')], items)
    launcher.ask(enter=items[0]['data'])
    ok('Ulauncher: it opens', *opens(DOCS + '/river notes.txt'))
    items = find('heron')
    ok('Ulauncher: a title is shown as text, in which nothing is marked', len(items) == 1 and is_plain(items[0]['name']) and 'Herons' in items[0]['name'] and not items[0]['marked'], items)
    items = find('badger')
    ok('Ulauncher: a hostile name is one line of text', len(items) == 1 and is_plain(items[0]['name']) and is_plain(items[0]['description']), items)
    launcher.ask(enter=items[0]['data'])
    ok('Ulauncher: it opens by its exact name', *opens(f'{DOCS}/{HOSTILE}'))
    items = find('stoat')
    ok('Ulauncher: a name that is not UTF-8 is shown', len(items) == 1 and is_plain(items[0]['name']), items)
    launcher.ask(enter=items[0]['data'])
    ok('Ulauncher: it opens by its bytes', *opens(os.fsencode(DOCS) + b'/odd\xff.txt'))
    ok('Ulauncher: an option is a word', [i['data'] for i in find('--version')] == [None], find('--version'))
    items = find('walrus')
    ok('Ulauncher: it says that nothing is found', len(items) == 1 and items[0]['name'] and items[0]['data'] is None, items)
    items = find('(otter')
    ok('Ulauncher: it says what is wrong with a query', len(items) == 1 and is_plain(items[0]['name']) and items[0]['data'] is None, items)
    ok('Ulauncher: the keyword alone opens nothing', [[i['data'] for i in find(argument)] for argument in (None, '', ' ')] == [[None]] * 3)
    said = launcher.end()
    ok('Ulauncher: nothing is written into its streams', said == ('', '') and launcher.process.returncode == 0, (said, launcher.process.returncode))


def ulauncher_note(expected, path=None):
    """The only item tells this, and opens nothing."""
    launcher = Ulauncher(path)
    items = launcher.find('otter')
    said = launcher.end()
    return [(expected in (i['name'] + i['description']).lower(), i['data']) for i in items] == [(True, None)] and said == ('', ''), (items, said)


# ---- the tests

for module, source in STAND_IN.items():
    os.makedirs(os.path.dirname(f'{HOME}/stand-in/ulauncher/{module}'), exist_ok=True)
    with open(f'{HOME}/stand-in/ulauncher/{module}.py', 'w') as f:
        f.write(source)
ok('Albert: without an index it says so', *albert_note('no index'))
ok('Ulauncher: without an index it says so', *ulauncher_note('no index'))

for name, text in (('river notes.txt', 'one\ntwo\nAn otter swims.\n'), (HOSTILE, 'A badger digs.\n'),
                   ('page.html', '<title>Herons &lt;span size="9999999"&gt;&lt;img src="http://127.0.0.1/"&gt; &amp;amp; \u202e more</title><p>A heron waits.')):
    with open(f'{DOCS}/{name}', 'w') as f:
        f.write(text)
with open(os.fsencode(DOCS) + b'/odd\xff.txt', 'w') as f:
    f.write('A stoat.\n')
subprocess.run(['tarsier', '-q', 'add', DOCS], check=True)
subprocess.run(['tarsier', '-q', 'index'], check=True)
for interface in ('5.0', '4.0'):
    test_albert(interface)
test_ulauncher()

path = os.environ['PATH']
os.environ['PATH'] = '/nonexistent'
ok('Albert: without the program it says so', *albert_note('cannot be started'))
os.environ['PATH'] = path
ok('Ulauncher: without the program it says so', *ulauncher_note('cannot be started', '/nonexistent'))
done_testing()
