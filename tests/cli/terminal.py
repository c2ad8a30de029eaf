# SPDX-License-Identifier: GPL-3.0-or-later
"""The client on terminals of several widths: no line is wider than the screen, escapes are closed, the
progress bar erases itself, and an interrupt ends the client with status 130."""
import fcntl, os, pty, re, select, signal, struct, subprocess, sys, termios, time, unicodedata

home = os.environ["HOME"]
docs = home + "/docs"
tests = 0


def ok(name, good, why=""):
    global tests
    tests += 1
    print("%s %d - %s" % ("ok" if good else "not ok", tests, name))
    if not good:
        print("# " + repr(why)[:2000])


def run(args, columns, interrupt=None, encoding="utf-8", **environment):
    """Returns exit code and output of the client on a terminal. interrupt: a function that tells
    when to send SIGINT."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    env = dict(os.environ, **{"TERM": "xterm-256color", **environment})
    child = subprocess.Popen(["tarsier"] + args, stdin=slave, stdout=slave, stderr=slave, env=env, start_new_session=True)
    os.close(slave)
    output, begun = b"", time.monotonic()
    while time.monotonic() - begun < 60:
        if select.select([master], [], [], 0.05)[0]:
            try:
                piece = os.read(master, 65536)
            except OSError:
                break
            if not piece:
                break
            output += piece
        if interrupt and interrupt(output):
            child.send_signal(signal.SIGINT)
            interrupt = None
    os.close(master)
    return child.wait(100), output.decode(encoding, "replace").replace("\r\n", "\n")


def cells(text):
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def bare(text):
    return re.sub("\x1b\\[[0-9;]*[mKJA]|\x1b\\]8;;[!-~]*\x1b\\\\", "", text)


os.makedirs(docs)
with open(docs + "/long.txt", "w") as f:
    f.write("Many words stand before the needle " + "and many words stand behind it " * 40)
with open(docs + "/cjk.html", "w") as f:
    f.write("<html><meta charset=utf-8><title>%s</title><body><p>%s needle %s</p></html>" % ("漢字" * 40, "日本語の文章。" * 20, "中文字" * 30))
subprocess.check_call(["tarsier", "-q", "add", docs])
code, text = run(["index"], 80)
ok('index on a terminal exits with 0', code == 0, (code, text))
ok('the progress bar of index erases itself', "has 2 files" in re.split("\r|\x1b\\[K", text)[-1], text)

for columns in (80, 40, 20):
    code, text = run(["needle"], columns)
    lines = bare(text).split("\n")
    ok('a search prints hits on a terminal of %d columns' % columns, code == 0 and "long.txt" in text, (code, text))
    # Paths are never cut, because users copy them.
    wide = [l for l in lines if cells(l) > columns and ' ' in l.strip()]  # a part of a path has no blank
    ok('no line but a path is wider than %d columns' % columns, not wide, wide)
    ok('styles and links are closed on a terminal of %d columns' % columns,
        text.count("\x1b[0m") >= len(re.findall("\x1b\\[[1-9]", text)) and text.count("\x1b]8;;") % 2 == 0, text)
    ok('both snippets highlight the word on a terminal of %d columns' % columns, text.count("\x1b[1;33mneedle\x1b[0m") == 2, text)

ok('NO_COLOR turns escapes off', "\x1b" not in run(["needle"], 80, NO_COLOR="1")[1])
for term in ("dumb", ""):
    code, text = run(["needle"], 80, TERM=term)
    ok('TERM=%s turns escapes off' % term, code == 0 and "\x1b" not in text and "long.txt" in text, text)
    code, text = run(["index"], 80, TERM=term)
    ok('TERM=%s gets no progress bar' % term, code == 0 and "\x1b" not in text and "\r" not in text, text)
ok('--color never turns escapes off', "\x1b" not in run(["--color", "never", "needle"], 80)[1])
ok('--color always overrides NO_COLOR', "\x1b[" in run(["--color=always", "needle"], 80, NO_COLOR="1")[1])
ok('a page of one hit says how many hits there are', re.search('(?m)^1 of 2, ', bare(run(["-n1", "needle"], 80)[1])))

# ---- a terminal whose charset is not UTF-8
letter = docs + "/größe – 日.txt"
with open(letter, "w") as f:
    f.write("A letter about the wombat – „größer“ than … 日")
code, text = run(["index"], 80)
for args in (["wombat"], ["--color=always", "wombat"], ["wombat", "nosuchword"], ["wombat", "&", "–"], ["show", letter], ["extract", letter], ["info", letter], ["list", docs], ["status"], ["doctor"],
             ["help"], ["help", "query"], ["help", "search"], ["search", "--help"], ["dups"], ["failed"], ["foo:bär"], ["open", "größe"]):
    code, text = run(args, 80, LC_ALL="C", PAGER="")
    ok("no byte of %s on a terminal of ASCII is another character" % " ".join(args).replace(docs, ""), code in (0, 1, 2, 5) and text and text.isascii(), (code, text))
code, text = run(["wombat"], 80, LC_ALL="C", NO_COLOR="1")
path = re.search("    (/.*txt)\n", text).group(1)
ok("each byte of such a letter is a question mark, so that the path is a pattern of the shell", path == docs + "/gr????e ??? ???.txt", text)
ok("the shell finds the file by it", subprocess.check_output(["sh", "-c", "LC_ALL=C; export LC_ALL; ls -d '%s'/gr????e*.txt" % docs], text=True) == letter + "\n")
ok("signs of the client have substitutes", " - text/plain" in text and "than ..." in text, text)
for option in ("--json", "-0"):
    code, text = run([option, "wombat"], 80, LC_ALL="C")
    ok("%s is exact on such a terminal" % option, code == 0 and letter in text, text)
code, text = run(["show", letter], 80, LC_ALL="C", PAGER="cat")
ok("a pager gets the text in the charset of the terminal", code == 0 and text.isascii() and "wombat" in text, text)
latin = os.environ["TEST_TMP"] + "/locales"
os.mkdir(latin)
if subprocess.run(["sh", "-c", "localedef -i de_DE -f ISO-8859-1 %s/de_DE" % latin], capture_output=True).returncode == 0:
    code, text = run(["wombat"], 80, LOCPATH=latin, LC_ALL="de_DE", encoding="iso-8859-1")
    ok("a terminal of Latin 1 shows its letters", 'größer' in text and "than ... ???" in text, text)
else:
    print("# no localedef: a terminal of Latin 1 is not tried")
os.unlink(letter)

code, text = run(["status", "--follow"], 80, interrupt=lambda out: b"State" in out)
ok('an interrupt ends status --follow with status 130', code == 130, (code, text))

for i in range(3000):
    with open("%s/%d.txt" % (docs, i), "w") as f:
        f.write("number %d" % i)
code, text = run(["index"], 60, interrupt=lambda out: b"%" in out)
ok('an interrupt ends index with status 130', code == 130, (code, text))
bars = [b for b in re.split("\r|\n", bare(text)) if b]
ok('the progress bar is narrower than the terminal', bars and all(cells(b) < 60 for b in bars), bars)
code, text = run(["index"], 60)
ok('the run of index after an interrupted one exits with 0', code == 0, (code, text))
ok('the run of index after an interrupted one completes the index', subprocess.run(["tarsier", "-c", "--dups=show", "number"], capture_output=True).stdout == b"3000\n")

for i in range(30):
    with open("%s/equal-%02d.txt" % (docs, i), "w") as f:
        f.write("thirty equal files")
    os.utime("%s/equal-%02d.txt" % (docs, i), (1e9 + i, 1e9 + i))
run(["index"], 80)
text = bare(run(["dups", "--exact"], 200)[1])
shown = re.findall("equal-(\\d\\d).txt", text)
ok('of 30 copies the newest 19 and the oldest are shown', shown == ["%02d" % i for i in range(29, 10, -1)] + ["00"], text)
ok('dups says how many copies it does not show', "and 10 more" in text, text)
piped = subprocess.run(["tarsier", "dups", "--exact"], capture_output=True, text=True).stdout
ok('dups prints every copy in a pipe', len(re.findall("equal-", piped)) == 30, piped)
print("1..%d" % tests)
