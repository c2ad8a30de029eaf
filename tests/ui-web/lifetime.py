# SPDX-License-Identifier: GPL-3.0-or-later
"""The page of tarsier browse ends when its last page is closed: when the script says good-bye, or
is silent for too long, and later where there is no script."""
import os, subprocess, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/ui-web'))
from browsetest import *
begin()

doc('marmoset.txt', 'A marmoset eats apples in the garden.\n')
index()
IDLE = 3


def ends(page, what):
    """Waits for the end, and returns after how many seconds it came."""
    start = time.monotonic()
    try:
        code = page.process.wait(120)
    except subprocess.TimeoutExpired:
        code = 'it goes on'
    equal(code, 0, what)
    return time.monotonic() - start


page = Page('--idle', str(IDLE), exchange=False)
took = ends(page, 'if nobody opens the page it ends')
ok(took > IDLE, 'not at once', took)

page = Page('--idle', '100')
equal(page.tab('a').status, 204, 'the script says that its page is there')
page.tab('b')
page.post('/bye', tab='a')
let_time_pass(7, 'the grace after the good-bye of the first page would be over')
equal(page.hits('marmoset').status, 200, 'when one of two pages is closed it goes on')
page.tab('b')
page.tab('b')
page.post('/bye', tab='b')
took = ends(page, 'when the last one is closed it ends')
ok(took < 60, 'soon', took)

page = Page('--idle', '100')
page.tab('a')
page.post('/bye', tab='a')
page.tab('c', 'apples')
let_time_pass(7, 'the grace after the good-bye would be over')
equal(page.search('marmoset').status, 200, 'a page that follows another one keeps it')
page.end()

page = Page('--idle', '100')
page.search('marmoset')
page.tab('a')
page.post('/alive', tab='a', load='99999999999')
page.post('/alive', tab='a', load='x')
page.post('/bye', tab='a')
let_time_pass(7, 'the grace after the good-bye would be over')
equal(page.search('marmoset').status, 200, 'a page without a script is not closed by one that has one')
page.end()

page = Page('--idle', '100')
page.get('/favicon.ico', Sec_Fetch_Dest='image')
page.get('/picture?id=1-1', Sec_Fetch_Dest=None)
page.tab('a')
page.post('/bye', tab='a')
took = ends(page, 'an icon or picture that a browser asks for is not a page')
ok(took < 60, 'which would be waited for', took)

page = Page('--idle', '100')
page.tab('a')
with socket.create_connection(('127.0.0.1', page.port), timeout=BODY_S) as s:
    request = f'GET /?q=marmoset HTTP/1.1\r\nHost: {page.host}\r\nCookie: {page.cookie}\r\n\r\n'.encode()
    s.sendall(request.replace(b'GET /?q=marmoset', b'HEAD /page.js'))
    s.recv(1 << 16)
    page.process.send_signal(signal.SIGSTOP)
    s.sendall(request)
page.process.send_signal(signal.SIGCONT)
let_time_pass(1, 'the request is answered')
page.post('/bye', tab='a')
took = ends(page, 'a page whose load was broken off')
ok(took < 60, 'is not waited for', took)

page = Page('--idle', str(IDLE))
page.tab('a')
ends(page, 'when the page is silent it ends')

page = Page('--idle', str(IDLE))
page.search('marmoset')
let_time_pass(2 * IDLE, 'a page with a script would have said that it is there')
equal(page.search('marmoset').status, 200, 'a page without a script is kept longer')
for i in range(2000):
    page.post('/alive', tab=f'tab{i}' + 'x' * (i % 90))
ends(page, 'very many names of pages do not keep it')

page = Page()
os.kill(page.process.pid, signal.SIGINT)
equal(page.process.wait(60), 130, 'Ctrl-C ends it')
page = Page()
children = all_children(page.process.pid)
ok(children, 'a process that starts viewers is beside it')
page.end()
gone = lambda pid: not os.path.exists(f'/proc/{pid}') or open(f'/proc/{pid}/stat').read().split()[2] == 'Z'
ok(wait_until('it has ended', lambda: all(gone(child) for child in children)), 'and ends with it')
finish()
