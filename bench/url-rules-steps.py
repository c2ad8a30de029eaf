#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""url-rules-steps.py BUILD: how often the lines of common/dust run while URL rules are found, for
50,000 and 500,000 URLs, and their ratio beside that of L log L

The sources are compiled with counters (gcc --coverage), which neither caches nor other work change.
The sorts of the C library are not counted, but the comparisons that they ask for are."""
import collections, glob, gzip, json, math, os, subprocess, sys, tempfile

SOURCE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BUILD = os.path.abspath(sys.argv[1] if sys.argv[1:] else '.')
KINDS = ('views, sessions', 'two spellings', 'index files, tildes')
NUMBERS = (50_000, 500_000)
MAIN = '''
#include <config.h>
#include "tests/common/dust-sites.h"
#include <stdlib.h>
void __gcov_reset(void);
int main(int argc, char **argv)
{
	g_autoptr(DustSite) site = dust_site_new(atoi(argv[1]), atoi(argv[2]), 5);
	g_autoptr(DustList) list = dust_site_list(site, false);
	__gcov_reset();
	g_autoptr(GPtrArray) rules = dust_find(list, NULL, NULL);
	return rules->len > 0 ? 0 : 1;
}
'''


def library(what):
    return subprocess.run(['pkg-config', what, 'glib-2.0'], check=True, capture_output=True, text=True).stdout.split()


def build(directory):
    flags = ['gcc', '-O1', '-D_GNU_SOURCE', f'-I{SOURCE}', f'-I{BUILD}', *library('--cflags')]
    with open(f'{directory}/main.c', 'w') as f:
        f.write(MAIN)
    for source in glob.glob(f'{SOURCE}/common/dust/*.c'):
        subprocess.run([*flags, '--coverage', '-c', source], check=True, cwd=directory)
    subprocess.run([*flags, '--coverage', '-o', 'program', f'{SOURCE}/tests/common/dust-sites.c', *glob.glob(f'{directory}/dust-*.o'), '-xc', 'main.c',
                    '-xnone', *library('--libs'), '-lm'], check=True, cwd=directory)


def steps(directory, kind, n):
    """Returns function -> how often its lines ran."""
    for path in glob.glob(f'{directory}/*.gcda'):
        os.unlink(path)
    subprocess.run(['./program', str(kind), str(n)], check=True, cwd=directory)
    counts = collections.Counter()
    for path in glob.glob(f'{directory}/dust-*.gcda'):
        out = subprocess.run(['gcov', '--json-format', '--stdout', path], check=True, capture_output=True, cwd=directory).stdout
        text = gzip.decompress(out) if out[:2] == b'\x1f\x8b' else out
        for file in json.loads(text)['files']:
            for line in file['lines']:
                counts[line.get('function_name')] += line['count']
    return counts


def main():
    usual = NUMBERS[1] * math.log(NUMBERS[1]) / (NUMBERS[0] * math.log(NUMBERS[0]))
    with tempfile.TemporaryDirectory() as directory:
        build(directory)
        for kind, name in enumerate(KINDS):
            few, many = (steps(directory, kind, n) for n in NUMBERS)
            a, b = sum(few.values()), sum(many.values())
            print(f'{name:20} {a / NUMBERS[0]:7.0f} {b / NUMBERS[1]:7.0f} lines a URL, ratio {b / a:5.2f} (L log L: {usual:.2f})', flush=True)
            for function, count in many.most_common(4):
                print(f'    {function:24} {100 * count / b:4.0f} %, ratio {count / max(1, few[function]):5.1f}', flush=True)


if __name__ == '__main__':
    main()
