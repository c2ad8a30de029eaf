# SPDX-License-Identifier: GPL-3.0-or-later
"""tarsier mcp: saved searches as resources, and clients that listen to them."""
import os, select, subprocess, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/cli'))
from daemontest import *
import mcpclient
from mcpclient import Client, MODERN, LEGACY, META

if 'jansson' in subprocess.run(['tarsier', 'mcp'], stdin=subprocess.DEVNULL, capture_output=True, text=True).stderr:
    skip_all('built without jansson')
os.makedirs(TREE + '/other')
write('owl.txt', 'A brown owl sits on the roof.\n')
write('eel.txt', 'An eel swims in the river.\n')
write('other/owls.txt', 'Two brown owls.\n')
write('.hidden.txt', 'A brown owl that hides.\n')
configure(hidden='.hidden.txt')
subprocess.run(['tarsier', 'index'], check=True, capture_output=True)
for name, query in (('owls', 'brown owl'), ('eels', 'eel'), ('like', f'near:{TREE}/eel.txt'), ('many', 'flock')):
    subprocess.run(['tarsier', '-q', 'saved', 'add', name, query], check=True, capture_output=True)
OWLS, EELS = 'tarsier://saved/owls', 'tarsier://saved/eels'


class Listener(Client):
    """One whose messages are not read ahead."""
    def __init__(self, *options, **more):
        super().__init__(*options, bufsize=0, **more)


def saved(client, uri):
    return client.ask('resources/read', {'uri': uri})['result']['contents'][0]['text']


# ---- resources
c = Client()
equal(c.ask('server/discover')['result']['capabilities'], {'tools': {}, 'resources': {'subscribe': True}}, 'a client may subscribe to resources')
equal(Client(version=LEGACY).initialized['result']['capabilities'], {'tools': {}, 'resources': {}}, 'but for the older way to do so')
listed = [resource['uri'] for resource in c.ask('resources/list')['result']['resources']]
equal(listed[:4], [OWLS, EELS, 'tarsier://saved/like', 'tarsier://saved/many'], 'saved searches are resources, before the documents')
ok(all(uri.split('/')[-1].isdigit() for uri in listed[4:]), 'which follow', listed)
ok('tarsier://saved/{name}' in [one['uriTemplate'] for one in c.ask('resources/templates/list')['result']['resourceTemplates']], 'and have a template')
lines = saved(c, OWLS).splitlines()
equal(sorted(line.split(' ', 1)[1] for line in lines), [TREE + '/other/owls.txt', TREE + '/owl.txt'], 'what one finds is its text, but for what is hidden')
ok('brown owl' in c.call('read', document=lines[0].split()[0])['text'], 'each line begins with the URI of a document')
equal(saved(Client('--root', TREE + '/other'), OWLS).split(' ', 1)[1], TREE + '/other/owls.txt\n', 'of the scope alone')
equal(saved(Client('--filter', 'roof'), OWLS).split(' ', 1)[1], TREE + '/owl.txt\n', 'by the filter too')
for uri in ('tarsier://saved/nothing', 'tarsier://saved/', 'tarsier://saved/..%2Fowls', 'tarsier://saved/like', 'tarsier://saved/%ff'):
    c.send(c.request('resources/read', {'uri': uri}))
    answer = c.receive()
    mcpclient.check_answer(MODERN, 'resources/read', answer)
    equal(answer['error']['code'], -32602, f'{uri} is not there')

# ---- listening
daemon = Daemon()
subprocess.run(['tarsier', '-q', 'status', '--wait=60'], check=True)


def listen(client, *uris, **kinds):
    """The request, and the filter that is acknowledged."""
    request = client.request('subscriptions/listen', {'notifications': {**kinds, **({'resourceSubscriptions': list(uris)} if uris else {})}})
    mcpclient.check(MODERN, 'SubscriptionsListenRequest', request)
    client.send(request)
    answer = client.receive()
    mcpclient.check(MODERN, 'SubscriptionsAcknowledgedNotification', answer)
    equal(answer['params']['_meta'], {META + 'subscriptionId': request['id']}, 'a subscription is acknowledged by its id')
    return request['id'], answer['params']['notifications']


def told(client, timeout=20):
    """The next message, as (id of the subscription, URI); None: nothing came."""
    if not select.select([client.process.stdout], [], [], timeout)[0]:
        return None
    message = client.receive()
    mcpclient.check(MODERN, 'ResourceUpdatedNotification', message)
    equal((message['method'], set(message)), ('notifications/resources/updated', {'jsonrpc', 'method', 'params'}), 'a notification says that a resource was updated')
    return message['params']['_meta'][META + 'subscriptionId'], message['params']['uri']


def in_sync():
    subprocess.run(['tarsier', '-q', 'status', '--wait=60'], check=True)


c = Listener()
owls, accepted = listen(c, OWLS, 'tarsier://saved/nothing', 'tarsier://saved/like', 'tarsier://1', 'file:///etc/passwd', toolsListChanged=True, resourcesListChanged=True)
equal(accepted, {'resourceSubscriptions': [OWLS]}, 'by what is honoured of it: saved searches that are there')
both, accepted = listen(c, OWLS, EELS)
equal(accepted, {'resourceSubscriptions': [OWLS, EELS]}, 'a client may have several')
none, accepted = listen(c, promptsListChanged=True)
equal(accepted, {}, 'one for what there is not is open too')
write('late.txt', 'A brown owl comes late.\n')
started = time.monotonic()
equal(sorted([told(c), told(c)]), sorted([(owls, OWLS), (both, OWLS)]), 'when something begins to match, each of them is told')
ok(time.monotonic() - started < 5, 'soon', time.monotonic() - started)
ok('late.txt' in saved(c, OWLS), 'and a request is answered beside them')
write('cat.txt', 'A cat.\n')
in_sync()
equal(told(c, 1), None, 'a change of other documents is none')
write('late.txt', 'A brown owl comes later than that.\n')
equal(sorted([told(c), told(c)]), sorted([(owls, OWLS), (both, OWLS)]), 'a new text of a document that matches is one')
os.unlink(TREE + '/eel.txt')
equal(told(c), (both, EELS), 'and so is the end of one')
c.send({'jsonrpc': '2.0', 'method': 'notifications/cancelled', 'params': {'requestId': both}})
write('eel.txt', 'An eel is back.\n')
write('third.txt', 'A third brown owl.\n')
equal(told(c), (owls, OWLS), 'one that was cancelled is told no more')
subprocess.run(['tarsier', '-q', 'saved', 'add', 'owls', 'cat'], check=True, capture_output=True)
write('pet.txt', 'A second cat.\n')
equal(told(c), (owls, OWLS), 'a search that is changed is heard as it is now')
narrow = Listener('--root', TREE + '/other')
inner, _ = listen(narrow, EELS)
write('fish.txt', 'Eels outside.\n')
in_sync()
equal(told(narrow, 1), None, 'what is outside of the scope is not a change')
write('other/fish.txt', 'Eels inside.\n')
equal(told(narrow), (inner, EELS), 'what is inside is')
equal(narrow.end(), (0, b''), 'at the end of the input it ends')

# ---- bad clients
c = Client()
for notifications in (None, 7, [], {'resourceSubscriptions': 'x'}, {'resourceSubscriptions': [7]}, {'resourceSubscriptions': [None, OWLS]}):
    c.send(c.request('subscriptions/listen', {'notifications': notifications}))
    equal(c.receive()['error']['code'], -32602, f'{notifications} are not notifications')
for version, method in ((LEGACY, 'subscriptions/listen'), (LEGACY, 'resources/subscribe'), (MODERN, 'resources/subscribe')):
    old = Client(version=version)
    old.send(old.request(method, {'uri': OWLS, 'notifications': {}}))
    equal(old.receive()['error']['code'], -32601, f'{method} is not there in {version}')
    old.end()
greedy = Client()
_, accepted = listen(greedy, *[EELS] * 1000)
ok(0 < len(accepted['resourceSubscriptions']) <= 100, 'there is an end to what one subscription has', len(accepted['resourceSubscriptions']))
refused = 0
for _ in range(50):
    greedy.send(greedy.request('subscriptions/listen', {'notifications': {}}))
    refused += 'error' in greedy.receive()
ok(0 < refused < 50, 'and to how many there are', refused)
greedy.process.stdout.close()
write('more-eels.txt', 'Eels for nobody.\n')
ok(greedy.process.wait(60) is not None, 'a server whose notifications nobody reads ends')

# ---- requests first
c = Listener()
many, _ = listen(c, 'tarsier://saved/many')
for i in range(300):
    write(f'many/{i}.txt', f'One of a flock, the {i}th.\n')
worst, news = 0, []
for _ in range(40):
    started = time.monotonic()
    request = c.request('tools/call', {'name': 'search', 'arguments': {'query': 'roof', 'limit': 1}})
    c.send(request)
    while (answer := c.receive()).get('id') != request['id']:
        news.append((answer['params']['_meta'][META + 'subscriptionId'], answer['params']['uri']))
    worst = max(worst, time.monotonic() - started)
ok(worst < 5, 'requests are answered while what is listened to changes', worst)
equal(news[0] if news else told(c), (many, 'tarsier://saved/many'), 'which is told')

# ---- an index that goes away
in_sync()
while told(c, 2):
    pass
daemon.stop()
os.rename(Daemon.index, HOME + '/away')
answer = c.receive()
mcpclient.check(MODERN, 'SubscriptionsListenResultResponse', answer)
equal((answer['id'], answer['result']), (many, {'resultType': 'complete', '_meta': {META + 'subscriptionId': many}}), 'when the index is moved away, the subscription ends')
equal(listen(c, OWLS)[1], {}, 'without an index nothing can be heard')
finish()
