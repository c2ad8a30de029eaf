# SPDX-License-Identifier: GPL-3.0-or-later
"""tarsier web canonical and web allowed: what a script gives them and gets from them, whatever the
bytes are."""
import os, subprocess, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
from daemontest import *


def web(*words, lines=b''):
    done = subprocess.run(['tarsier', 'web', *words], input=lines, capture_output=True, timeout=120)
    return done.returncode, done.stdout, done.stderr.decode(errors='replace')


def robots(data, name='robots.txt'):
    path = f'{TMP}/{name}'
    with open(path, 'wb') as f:
        f.write(data)
    return path


def verdicts(data, agent, *urls):
    """Returns the verdicts for these URLs as letters: "a" or "d"."""
    code, out, err = web('allowed', '--robots', robots(data), '--agent', agent,
                         lines='\n'.join(urls).encode() + b'\n')
    lines = out.decode().splitlines()
    if code != 0 or [line.split('\t')[1] for line in lines] != list(urls):
        return f'{code} {out} {err}'
    return ''.join(line[0] for line in lines)


# ---- canonical

code, out, err = web('canonical', lines=b'HTTP://Example.org:80/%7ea/../b?y&x#z\nno url\nexample.org')
equal((code, out, err), (0, b'http://example.org/b?x&y\tHTTP://Example.org:80/%7ea/../b?y&x#z\n'
                         b'invalid\tno url\nhttp://example.org/\texample.org\n', ''),
      'each line is answered, also the last one without its end')
equal(web('canonical', '--base', 'https://a.test/b/c', lines=b'../d\r\n\n//b.test\n')[1],
      b'https://a.test/d\t../d\nhttps://a.test/b/c\t\nhttps://b.test/\t//b.test\n',
      'relative URLs are resolved, and CR LF ends a line')
equal(web('canonical')[:2], (0, b''), 'nothing is answered with nothing')

long_line = b'http://a.test/' + b'a' * (1 << 20)
code, out, err = web('canonical', lines=long_line + b'\nhttp://a.test/\n')
ok(code == 0 and out.startswith(b'invalid\thttp://a.test/aaa') and out.endswith(b'\nhttp://a.test/\thttp://a.test/\n'),
   'a line of 1 MiB is invalid, and the next one is answered', code, out[-100:], err)
ok(len(out) <= (1 << 20) + 200, 'what is printed of a long line is bounded', len(out))
equal(web('canonical', lines=b'http://a.test/\xff\nhttp://a.test/a\0b\nhttp://a\0b/\n')[1],
      b'invalid\thttp://a.test/\xff\nhttp://a.test/a%00b\thttp://a.test/a\0b\ninvalid\thttp://a\0b/\n',
      'bytes that are not UTF-8 make a URL invalid, NUL is a byte like others')
equal(web('canonical', '-q', lines=b'http://a.test/\n')[:2], (0, b''), '-q prints nothing')
colored = web('canonical', '--color=always', lines=b'x:\x1b]0;t\x07\n')[1]
ok(b'\x1b' not in colored and b'\\x1B' in colored.replace(b'\\x1b', b'\\x1B'),
   'controls are escaped on a terminal', colored)

# ---- usage

for words, what in (((), 'no subverb'), (('xyzzy',), 'an unknown subverb'), (('canonical', 'x'), 'a word too many'),
                    (('canonical', '--base', 'x'), 'a relative base'), (('allowed',), 'no file and no agent'),
                    (('allowed', '--robots', '/dev/null'), 'no agent')):
    code, out, err = web(*words)
    ok(code == 2 and not out and err.startswith('tarsier: '), f'{what} exits with 2 and a message', code, out, err)
code, out, err = web('allowed', '--robots', f'{TMP}/absent', '--agent', 'x', lines=b'/\n')
ok(code not in (0, 5) and not out and 'absent' in err, 'a file that is absent is an error', code, out, err)

# ---- allowed

usual = b'''User-agent: *
Disallow: /
Allow: /open/

User-agent: First
User-agent: second/1.0
Disallow: /*.pdf$
Allow: /a/index.html
Disallow: /a
Crawl-delay: 5
'''
equal(verdicts(usual, 'other', 'http://a.test', 'http://a.test/open/x', 'http://a.test/x'), 'dad', 'other agents have the group of *')
equal(verdicts(usual, 'FIRST', 'http://a.test/x.pdf', 'http://a.test/x.pdf?y', 'http://a.test/a/', 'http://a.test/a/b'), 'daad',
      'an agent has its group')
equal(verdicts(usual, 'Second', 'http://a.test/x.pdf'), 'd', 'a version after the name does not matter')
equal(verdicts(usual, 'First/1.0', 'http://a.test/x.pdf?y'), 'a', 'nor does the version of the agent that asks')
equal(verdicts(usual, 'First x', 'http://a.test/x.pdf?y'), 'd', 'an agent with more words is another one')
digits = b'user-agent: bot2\ndisallow: /a\nuser-agent: 3bot\ndisallow: /b\nuser-agent: *\ndisallow: /c'
equal([verdicts(digits, agent, '/a', '/b', '/c') for agent in ('bot2', 'bot', '3bot', 'bot23')], ['daa', 'daa', 'ada', 'aad'],
      'names may have digits; a name that digits follow is taken without them too')
equal(verdicts(b'', 'x', 'http://a.test/'), 'a', 'an empty file allows everything')
equal(verdicts(b'\xef\xbb\xbfuser-agent: x\rdisalow: /a\rUSERAGENT x\r', 'x', '/a', '/b'), 'da', 'misspellings, CR and the mark are read')
equal(verdicts('user-agent: x\ndisallow: /\n'.encode('utf-16'), 'x', '/a'), 'd', 'UTF-16 is read')
equal(verdicts('user-agent: x\ndisallow: /é\n'.encode(), 'x', '/%C3%A9', '/%c3%a9', '/é'), 'daa', 'patterns are percent-encoded, URLs are as written')
equal(verdicts(b'user-agent: x\ndisallow: /a\0b\ndisallow: /c', 'x', '/a', '/c'), 'dd', 'NUL ends a line, and the last line needs no end')
equal(verdicts(b'<!DOCTYPE html><html><p>user-agent: *<p>disallow: /</html>', 'x', '/a'), 'a', 'a page instead of the file allows everything')
equal(verdicts(b'disallow: /\nsitemap: /s\nuser-agent: y\n', 'x', '/a'), 'a', 'rules before the first agent do not count')
agents = b''.join(b'user-agent: a%s\n' % bytes([97 + i // 26 % 26, 97 + i % 26]) for i in range(600))
rules = b''.join(b'disallow: /%d/\n' % i for i in range(20000))
equal(verdicts(agents + rules, 'aaa', '/0/', '/19999/', '/20000/'), 'dda', '600 agents of 20,000 rules are read')

path = robots(b'user-agent: *\ndisallow: /b\n' + b'# words\n' * 70000 + b'disallow: /a\n')
code, out, err = web('allowed', '--robots', path, '--agent', 'x', lines=b'/b\n/a\n')
ok((code, out) == (5, b'deny\t/b\nallow\t/a\n') and err, 'only the first 500 KiB are read, and a note says so', code, out, err)
long_line = b'/' + b'a' * (1 << 20)
code, out, err = web('allowed', '--robots', robots(usual), '--agent', 'x', lines=long_line + b'\n\xff\0/open/\n/open/')
equal((code, out[:6], out.split(b'\n')[1:]), (0, b'deny\t/', [b'allow\t\xff\0/open/', b'allow\t/open/', b'']), 'any bytes of lines are answered')
code, out, err = web('allowed', '--robots', robots(b'user-agent: x\ndisallow: /' + b'a*' * 8000 + b'b$\n'), '--agent', 'x',
                     lines=(b'/' + b'a' * 100000 + b'\n') * 20)
ok(code == 0 and out.count(b'allow\t') == 20, 'a pattern of stars is matched in linear time', code, out[:100], err)
finish()
