#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Near-duplicates: one text in many formats is one group; boilerplate, tiny and odd texts form none."""
import json, os, random, signal, subprocess, sys, zipfile
sys.path.insert(0, os.path.join(os.environ["abs_top_srcdir"], "tests"))
from tap import wait_until

HOME = os.environ["HOME"]
D = HOME + "/d"
random.seed(11)
tests = 0
WORDS = ["".join(random.choice("abcdefghijklmnop") for _ in range(random.randint(3, 9))) for _ in range(2000)]

def ok(what, good, why=""):
    global tests
    tests += 1
    print(("ok" if good else "not ok"), tests, "-", what, flush=True)
    if not good:
        print("#  ", str(why)[:2000].replace("\n", "\n#   "), flush=True)

def run(*arguments, code=None):
    done = subprocess.run(("tarsier",) + arguments, capture_output=True, text=True)
    if code is not None and done.returncode != code:
        print("# tarsier", *arguments, "->", done.returncode, done.stderr)
    return done.stdout

def write(name, data):
    os.makedirs(os.path.dirname(f"{D}/{name}"), exist_ok=True)
    with open(f"{D}/{name}", "wb") as out:
        out.write(data if isinstance(data, bytes) else data.encode())

def prose(n):
    return [random.choice(WORDS) for _ in range(n)]

def sentences(words):
    return [" ".join(words[i:i + 10]) for i in range(0, len(words), 10)]

def groups():
    found = [json.loads(line) for line in run("dups", "--json").splitlines()]
    return [("same text" if g.get("same_text") else g["kind"], sorted(p[len(D) + 1:] for p in g["paths"])) for g in found]

def near(name):
    return sorted(p[len(D) + 1:] for p in run("similar", f"{D}/{name}").splitlines())

# ---- one text in many formats

def pdf(lines):
    text = "BT /F1 11 Tf 50 780 Td 14 TL\n" + "".join(f"({line}) Tj T*\n" for line in lines) + "ET"
    objects = ["<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
               "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
               f"<< /Length {len(text)} >>\nstream\n{text}\nendstream", "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"]
    out, places = "%PDF-1.4\n", []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += f"{number} 0 obj\n{body}\nendobj\n"
    table = len(out)
    out += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n" + "".join(f"{p:010} 00000 n \n" for p in places)
    return out + f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{table}\n%%EOF\n"

def odt(path, lines):
    names = "xmlns:office='urn:oasis:names:tc:opendocument:xmlns:office:1.0' xmlns:text='urn:oasis:names:tc:opendocument:xmlns:text:1.0'"
    with zipfile.ZipFile(path, "w") as z:
        z.writestr("mimetype", "application/vnd.oasis.opendocument.text")
        z.writestr("META-INF/manifest.xml", "<manifest:manifest xmlns:manifest='urn:oasis:names:tc:opendocument:xmlns:manifest:1.0'>"
                   "<manifest:file-entry manifest:full-path='/' manifest:media-type='application/vnd.oasis.opendocument.text'/></manifest:manifest>")
        z.writestr("content.xml", f"<office:document-content {names}><office:body><office:text>"
                   + "".join(f"<text:p>{line}</text:p>" for line in lines) + "</office:text></office:body></office:document-content>")

def check_formats():
    built = {f["name"] for f in map(json.loads, run("formats", "--json").splitlines()) if f["state"] == "ok"}
    lines, wanted = sentences(prose(400)), ["f/t.html", "f/t.txt"]
    write("f/t.txt", "\n".join(lines) + "\n")
    write("f/t.html", "<!DOCTYPE html><html><head><title>Quite another title</title></head><body>"
          + "".join(f"<p>{line}</p>" for line in lines) + "</body></html>")
    if "odf" in built:
        odt(f"{D}/f/t.odt", lines)
        wanted.append("f/t.odt")
    if "pdf" in built:
        write("f/t.pdf", pdf(lines))
        wanted.append("f/t.pdf")
    run("-q", "index")
    mine = [g for g in groups() if g[1][0].startswith("f/")]
    ok(f'the text of one document in {", ".join(sorted(w[4:] for w in wanted))} forms one group of the same text' + " is one group of the same text",
       mine == [("same text", sorted(wanted))], mine)
    ok('the same text in several formats is one hit', len(run("search", "--dups", "collapse", f'"{lines[7]}"').splitlines()) == 1)

# ---- boilerplate

LICENCE = ["Copyright (C) 2026 the makers of nothing"] + sentences(prose(160)) + ["under the terms of this license"]

def check_boilerplate():
    for i in range(3):
        body = "\n".join(f"\tint {word}_{n} = {n * 7 + i};" for n, word in enumerate(prose(30)))
        write(f"b/c{i}.c", "/*\n * " + "\n * ".join(LICENCE) + f"\n */\n#include <stdio.h>\nvoid f{i}(void)\n{{\n{body}\n}}\n")
        write(f"b/s{i}.py", "#!/usr/bin/python3\n# " + "\n# ".join(LICENCE) + "\n\n" + "\n".join(f"{w} = {n}" for n, w in enumerate(prose(30))) + "\n")
        write(f"b/m{i}.eml", f"From: a@example.org\nTo: b@example.org\nSubject: {' '.join(prose(4))}\nDate: Wed, 4 Mar 2026 10:00:00 +0000\n"
              "Content-Type: text/plain\n\n" + "\n".join(sentences(prose(40))) + "\n-- \n" + "\n".join(LICENCE[:18]) + "\n")
        navigation = "".join(f"<li><a href='/{n}'>{line}</a></li>" for n, line in enumerate(LICENCE))
        article = "".join(f"<p>{line}, and so on, as was said.</p>" for line in sentences(prose(200)))
        write(f"b/w{i}.html", f"<!DOCTYPE html><html><head><title>{' '.join(prose(3))}</title></head><body><nav><ul>{navigation}</ul></nav>"
              f"<article><h1>{' '.join(prose(4))}</h1>{article}</article><footer>{LICENCE[3]}</footer></body></html>")
    run("-q", "index")
    mine = [g for g in groups() if g[1][0].startswith("b/")]
    ok('licence headers, mail footers and navigation make no near-duplicates', mine == [], mine)
    ok('the words of a licence header are found', "b/c1.c" in run("search", f'dir:{D}/b "{LICENCE[5]}"'), run("search", f'"{LICENCE[5]}"'))

# ---- few words, odd words

def japanese(n):
    return "".join(chr(random.randrange(0x4e00, 0x5200)) for _ in range(n))

def check_odd():
    for i, text in enumerate(("", " \n", "one", "two", "one two three", "one two four", "1", "2")):
        write(f"o/tiny{i}.txt", text)
    write("o/tiny8.txt", "one two three\n") # the same words as another text, but too few for a comparison
    write("o/million.txt", "word " * 1_000_000)
    write("o/million2.txt", "word " * 1_000_001)
    text = japanese(600)
    write("o/ja1.txt", text)
    write("o/ja2.txt", text[:300] + japanese(6) + text[306:])
    write("o/ja3.txt", japanese(600))
    words = prose(400)
    write("o/once.txt", " ".join(words))
    write("o/twice.txt", " ".join(words + words))
    write("o/turned.txt", " ".join(reversed(words)))
    run("-q", "index")
    mine = [g for g in groups() if g[1][0].startswith("o/")]
    near_groups = sorted(names for kind, names in mine if kind != "exact")
    ok('tiny texts and one repeated word have no near-duplicates; texts without spaces do',
       near_groups == [["o/ja1.txt", "o/ja2.txt"], ["o/once.txt", "o/twice.txt"]], mine)
    ok('similar agrees with dups about odd texts', near("o/ja1.txt") == ["o/ja2.txt"] and near("o/turned.txt") == [], (near("o/ja1.txt"), near("o/turned.txt")))

# ---- totals

def check_totals():
    """However few hits are shown, near copies of each other count as one."""
    for text in "ab":
        words = prose(500)
        for i in range(3):
            write(f"t/{text}{i}.txt", "marmoset " + " ".join(words[:495] + prose(2)))
    run("-q", "index")
    totals = []
    for n in range(1, 5):
        first = json.loads(run("search", "--json", "-n", str(n), "--", "marmoset").splitlines()[0])
        totals.append((first["total"], first["total_exact"]))
    ok('near copies after the hits that are shown count as one', totals == [(2, True)] * 4, totals)

# ---- changes meanwhile, and interrupts

def catches_interrupt(pid):
    with open(f"/proc/{pid}/status") as status:
        caught = next(line for line in status if line.startswith("SigCgt")).split()[1]
    return int(caught, 16) >> (signal.SIGINT - 1) & 1

def check_interrupt():
    """The output goes into a full pipe, so that dups cannot end by itself."""
    out, into = os.pipe()
    os.set_blocking(into, False)
    try:
        while os.write(into, b"x" * 4096):
            pass
    except BlockingIOError:
        os.set_blocking(into, True)
    process = subprocess.Popen(["tarsier", "dups"], stdout=into)
    wait_until("dups has a handler for interrupts",
               lambda: process.poll() is not None or catches_interrupt(process.pid), 60, 0.005)
    process.send_signal(signal.SIGINT)
    ok('an interrupt ends dups with status 130', process.wait(60) == 130, process.returncode)
    os.close(out)
    os.close(into)

def check_changes():
    words = prose(300)
    for i in range(4):
        write(f"x/copy{i}.txt", " ".join(words[:290] + prose(3)))
    run("-q", "index")
    write("x/copy0.txt", " ".join(prose(100)))
    os.remove(f"{D}/x/copy1.txt")
    mine = [g for g in groups() if g[1][0].startswith("x/")]
    ok('files that changed after the index run are in no group', mine == [("near", ["x/copy2.txt", "x/copy3.txt"])], mine)
    check_interrupt()
    ok('an interrupted dups leaves the index unchanged', [g for g in groups() if g[1][0].startswith("x/")] == mine)

def main():
    os.makedirs(D + "/f")
    run("-q", "add", D)
    check_formats()
    check_boilerplate()
    check_odd()
    check_totals()
    check_changes()
    print(f"1..{tests}")

main()
