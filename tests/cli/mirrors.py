#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""dups --rules finds the rule that leads from a tree to its copy, of which 3 % were changed afterwards.

mirrors.py [FILES]: the number of files in the tree."""
import json, os, random, shutil, subprocess, sys, time

FILES = int(sys.argv[1]) if len(sys.argv) > 1 else 300
HOME = os.environ["HOME"]
TREE, COPY = HOME + "/Documents", HOME + "/Backup/2023"
random.seed(5)
tests = 0

def ok(what, good, why=""):
    global tests
    tests += 1
    print(("ok" if good else "not ok"), tests, "-", what, flush=True)
    if not good:
        print("#  ", str(why)[:2000].replace("\n", "\n#   "), flush=True)

def run(*arguments, code=0):
    done = subprocess.run(("tarsier",) + arguments, capture_output=True, text=True)
    if done.returncode != code:
        print("# tarsier", *arguments, "->", done.returncode, done.stderr.strip().replace("\n", "\n#   "))
    return done.stdout

def rules(*arguments):
    return [json.loads(line) for line in run("dups", "--rules", "--json", *arguments).splitlines()]

def write(path, words):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as out:
        out.write(" ".join(words) + "\n")

def text(n):
    return [random.choice(WORDS) for _ in range(n)]

WORDS = ["".join(random.choice("abcdefghijklmnop") for _ in range(random.randint(3, 9))) for _ in range(500)]

def make_tree():
    for i in range(FILES):
        write(f"{TREE}/year{i % 7}/project{i % 31}/note{i}.txt", text(random.randint(20, 90)))
    # files that look like copies but are none: one name everywhere, numbered series of one size,
    # empty files
    for i in range(40):
        write(f"{HOME}/Sites/site{i}/index.html", text(random.randint(20, 90)))
        write(f"{HOME}/Scans/scan{i:03}.txt", [f"{random.randint(10**9, 10**10 - 1)}" for _ in range(12)])
        open(f"{HOME}/Sites/site{i}/empty.txt", "w").close()
    shutil.copytree(TREE, COPY)

def change_some():
    paths = sorted(os.path.join(d, f) for d, _, names in os.walk(COPY) for f in names)
    changed = random.sample(paths, FILES * 3 // 100)
    for number, path in enumerate(changed):
        with open(path, "r+") as f:
            data = f.read()
            f.seek(0)
            f.write(("other " if number % 2 else "") + data.swapcase()) # half of them keep their size
    return changed

def configure(line):
    path = HOME + "/.config/tarsier/tarsier.conf"
    lines = [l for l in open(path).read().splitlines() if not l.startswith(line.split(" ")[0])]
    at = lines.index("[index]") + 1
    open(path, "w").write("\n".join(lines[:at] + [line] + lines[at:]) + "\n")

def check_tree():
    begin = time.monotonic()
    found = rules()
    seconds = time.monotonic() - begin
    print(f"# {2 * FILES} files, rules in {seconds:.2f} s: {found}")
    ok('a copied tree gives exactly one rule', len(found) == 1, found)
    rule = found[0] if found else {}
    resized = FILES * 3 // 100 // 2
    ok('the rule leads from the tree to its copy', (rule.get("kind"), rule.get("from"), rule.get("to")) == ("tree", TREE, COPY), rule)
    ok('the rule counts the files of equal size as support, the others as refuted', rule.get("support") == FILES - resized and rule.get("refuted") == resized, rule)
    ok('the rule counts the files and bytes of the copy', rule.get("files") == FILES and rule.get("bytes", 0) > 100 * FILES, rule)
    ok('the rule tells its precision from a sample', .9 < rule.get("precision", 0) <= 1 and 0 < rule.get("sampled", 0) <= 200, rule)
    ok('dups --rules answers within 30 s', seconds < 30, seconds)
    ok('dups --rules DIR leaves out rules that lead out of the directory', run("dups", "--rules", "--json", TREE, code=1) == "")
    ok('dups --rules prints both paths with a tab between in a pipe', run("dups", "--rules") == f"{TREE}\t{COPY}\n")
    ok('dups -0 --rules ends both paths with NUL', run("dups", "-0", "--rules") == f"{TREE}\0{COPY}\0")
    run("dups", "--rules", "--near", code=2)
    return rule

def check_advice(rule):
    configure(rule.get("leave_out", "none"))
    ok('the line that a rule suggests is a valid setting', "backup" in run("config", "get", "index.exclude").lower() and run("config", "check") is not None)
    run("-q", "index")
    left = run("list", COPY)
    ok('the suggested line takes the copy out of the index', run("search", "-c", "dir:" + COPY, code=1).strip() == "0", left)
    ok('the suggested line leaves the tree in the index', run("search", "-c", "dir:" + TREE + " is:file").strip() == str(FILES))
    ok('there is no rule once the copy is out of the index', run("dups", "--rules", "--json", code=1) == "")

def check_inner():
    """Copies a whole directory into itself, and one subdirectory."""
    place = HOME + "/Place"
    for i in range(60):
        write(f"{place}/{'abc'[i % 3]}/note{i}.txt", text(random.randint(20, 90)))
    for name in "abc":
        shutil.copytree(f"{place}/{name}", f"{place}/old/{name}")
    run("-q", "index")
    found = [(rule["from"], rule["to"], rule["support"]) for rule in rules(place)]
    ok('a copy of a directory inside of it gives one rule', found == [(place, place + "/old", 60)], found)
    shutil.rmtree(place + "/old")
    shutil.copytree(place + "/b", place + "/old/b")
    run("-q", "index")
    found = [(rule["from"], rule["to"], rule["support"]) for rule in rules(place)]
    ok('a copy of one subdirectory gives a rule for this subdirectory', found == [(place + "/b", place + "/old/b", 20)], found)
    shutil.rmtree(place)

def check_names():
    for i in range(24):
        words = text(30 + i)
        write(f"{HOME}/Music/letter {i} of may.txt", words)
        if i < 18:
            write(f"{HOME}/Music/letter {i} of may (1).txt", words)
        if i < 12:
            write(f"{HOME}/Music/Copy of letter {i} of may.txt", words)
    run("-q", "index")
    found = [(rule["kind"], rule["from"], rule["to"], rule["support"]) for rule in rules()]
    ok('names that mark copies give rules of their own', found == [("names", "*.*", "*\\ (1).*", 18), ("names", "*", "Copy\\ of\\ *", 12)], found)
    for _ in found:
        configure(rules()[0]["leave_out"])
        run("-q", "index")
    left = sorted(os.path.basename(p) for p in run("list", HOME + "/Music").splitlines() if p.endswith(".txt"))
    ok('the suggested lines take the marked copies out of the index', left == sorted(f"letter {i} of may.txt" for i in range(24)), left)

def check_few():
    """Eight equal pairs are not evidence of a rule, and numbers of a series are not marks."""
    for i in range(8):
        words = text(40 + i)
        write(f"{HOME}/Few/paper{i}/plan.txt", words)
        write(f"{HOME}/Few/paper{i}/plan - Copy.txt", words)
        write(f"{HOME}/Other/deep{i}/a.txt", text(50 + i))
    shutil.copytree(HOME + "/Other", HOME + "/Other-2")
    for i in range(30):
        words = text(100 + i)
        write(f"{HOME}/Series/{i}/page 1.txt", words)
        write(f"{HOME}/Series/{i}/page 2.txt", words)
    run("-q", "index")
    for place in ("Few", "Other", "Series"):
        found = [rule for rule in rules() if place in rule["from"] + rule["to"] or rule["kind"] == "names" and place != "Other"]
        ok(f'a handful of pairs gives no rule ({place})', not found, found)

def main():
    make_tree()
    changed = change_some()
    run("-q", "add", HOME)
    run("-q", "index")
    print("#", len(changed), "changed")
    check_advice(check_tree())
    check_inner()
    check_names()
    check_few()
    print(f"1..{tests}")

main()
