# SPDX-License-Identifier: GPL-3.0-or-later
"""Signs that belong to a word are searched with it: c++ is not c. Where nothing has the word with its
signs, it is searched without them, and a note says so."""
import json, os, subprocess, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/daemon'))
from daemontest import *

docs = HOME + '/signs'
texts = {
    'cpp.txt': 'Learning C++ from scratch. The C++ primer by Lippman.',
    'cpp17.txt': 'News in C++17 (and g++), said of GTK+.',
    'c.txt': 'Plan C is the plan. Vitamin C.',
    'cs.html': '<title>C# tutorial</title><p>A language of .NET, beside F# and Objective-C++.',
    'asp.txt': 'ASP.NET by example.net',
    'net.txt': 'fishing with a net',
    'att.txt': 'AT&T labs have a research and an R & D department, and a Q&A.',
    'att2.txt': 'at t = 0 we begin, d follows r',
    'loop.c': 'for (i = 0; i < n; i++) { c++; }  /* issue #12 */\n#include <c.h>\n',
    'grade.txt': 'She got an A+.',
    'c++-notes.txt': 'nothing but words',
    'editor.txt': 'Notepad++ is an editor',
    'node.txt': 'node.js runs it',
}
os.mkdir(docs)
for name, text in texts.items():
    with open(f'{docs}/{name}', 'w') as f:
        f.write(text)


def run(*arguments):
    done = subprocess.run(['tarsier', *arguments], capture_output=True, text=True, timeout=100)
    return done.returncode, done.stdout, done.stderr


def ask(line, *options):
    """Returns the names found, the notes, and the marked texts."""
    _, out, _ = run('search', '--json', *options, '--', line)
    objects = [json.loads(answer) for answer in out.splitlines()]
    notes = objects[0].get('notes', []) if objects else []
    hits = [o for o in objects if o['type'] == 'hit']
    marks = {s['text'].encode()[a:b].decode() for o in hits for s in o.get('snippets', []) for a, b in s['marks']}
    return sorted(os.path.basename(o['path']) for o in hits), notes, marks


run('-q', 'add', docs)
run('-q', 'index')
for line, wanted, marks in (
        ('c++', ['c++-notes.txt', 'cpp.txt', 'cpp17.txt', 'cs.html'], {'C++'}),
        ('C++', ['c++-notes.txt', 'cpp.txt', 'cpp17.txt', 'cs.html'], {'C++'}),
        ('g++', ['cpp17.txt'], {'g++'}),
        ('gtk+', ['cpp17.txt'], {'GTK+'}),
        ('c++17', ['cpp17.txt'], {'C++17'}),
        ('objective-c++', ['cs.html'], {'Objective-C++'}),
        ('c#', ['cs.html'], None),
        ('title:c#', ['cs.html'], None),
        ('title:f#', [], set()),
        ('F#', ['cs.html'], {'F#'}),
        ('.net', ['asp.txt', 'cs.html'], {'.NET'}),
        ('asp.net', ['asp.txt'], {'ASP.NET'}),
        ('net', ['asp.txt', 'cs.html', 'net.txt'], {'.NET', 'net'}),
        ('AT&T', ['att.txt'], {'AT&T'}),
        ('at&t labs', ['att.txt'], {'AT&T', 'labs'}),
        ('"at&t labs have"', ['att.txt'], {'AT&T labs have'}),
        ('"at&t have"', [], set()),
        ('r&d', ['att.txt'], {'R & D'}),
        ('q&a', ['att.txt'], {'Q&A'}),
        ('a+', ['grade.txt'], {'A+'}),
        ('notepad++', ['editor.txt'], {'Notepad++'}),
        ('node.js', ['node.txt'], {'node.js'}),
        ('C++ primer', ['cpp.txt'], {'C++', 'primer'}),
        ('"c++ primer"', ['cpp.txt'], {'C++ primer'}),
        ('"c++ scratch"', [], set()),
        ('c++ -primer', ['c++-notes.txt', 'cpp17.txt', 'cs.html'], {'C++'}),
        ('c++ NEAR/3 lippman', ['cpp.txt'], None),
        ('name:c++', ['c++-notes.txt'], None),
        ('=c++', ['c++-notes.txt', 'cpp.txt', 'cpp17.txt', 'cs.html'], {'C++'}),
        ('c', ['c++-notes.txt', 'c.txt', 'cpp.txt', 'cpp17.txt', 'cs.html', 'loop.c'], None),
        ('(c++ OR c#) language', ['cs.html'], None)):
    found, notes, marked = ask(line)
    equal((found, notes), (wanted, []), f'{line}: finds what has it')
    if marks is not None:
        equal(marked, marks, f'{line}: the word is marked with its signs')
equal(ask('c++', '-f')[0], ['c++-notes.txt'], '-f c++: finds the name')
for line, wanted, plain in (('i++', ['loop.c'], 'i++'), ('vitamin+', ['c.txt'], 'vitamin+'), ('x&y', [], 'x&y'),
                            ('"begin++ d"', ['att2.txt'], 'begin++'), ('d#', ['att.txt', 'att2.txt'], 'd#'),
                            ('c++~', ['c++-notes.txt', 'c.txt', 'cpp.txt', 'cpp17.txt', 'cs.html', 'loop.c'], 'c++')):
    found, notes, _ = ask(line)
    ok(set(wanted) <= set(found) and len(notes) == 1 and f'"{plain}"' in notes[0] and 'without its signs' in notes[0],
       f'{line}: is searched without its signs, with a note', found, notes)
ok('without its signs' in run('search', '-l', 'vitamin+')[2], 'the note is told beside the paths, too')

# ---- the normal form is a query that means the same
for line in ('AT&T labs', '"AT&T labs"', 'title:c# .net', '"AT&T labs"p5', 'c++* -a+'):
    lines = run('search', '--explain', '-l', '--', line)[2].splitlines()
    normal = lines[[i for i, said in enumerate(lines) if 'Normal form' in said][0] + 1].strip()
    ok(
        ask(normal)[:2] == ask(line)[:2], f'{line}: the normal form finds the same', normal)
finish()
