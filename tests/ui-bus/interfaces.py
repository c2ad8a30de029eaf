# SPDX-License-Identifier: GPL-3.0-or-later
"""The interfaces of the search boxes have the methods, with their arguments, that GNOME Shell and
KRunner describe. The descriptions are Debian's: installed, or downloaded with apt-get."""
import glob, os, subprocess, sys, xml.etree.ElementTree as ET
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/ui-bus'))
from bustest import *
begin()

DOWNLOAD_S = 55
INTERFACES = ((SHELL, 'org.gnome.ShellSearchProvider2.xml', 'gnome-shell-common'), (RUNNER, 'kf5_org.kde.krunner1.xml', 'libkf5runner5'))


def described(file, package):
    """The path of a description; None if it cannot be had."""
    place = '/usr/share/dbus-1/interfaces/' + file
    if os.path.exists(place):
        return place
    there = os.path.join(TMP, package)
    os.makedirs(there)
    try:
        subprocess.run(['apt-get', '-q', 'download', package], cwd=there, capture_output=True, timeout=DOWNLOAD_S, check=True)
        subprocess.run(['dpkg-deb', '-x', glob.glob(there + '/*.deb')[0], there], capture_output=True, check=True)
    except (OSError, subprocess.SubprocessError, IndexError):
        return None
    return there + place if os.path.exists(there + place) else None


def methods(node, interface):
    """name -> (types of the arguments, types of the answer)"""
    out = {}
    for method in node.findall(f"interface[@name='{interface}']/method"):
        of = {'in': '', 'out': ''}
        for argument in method.findall('arg'):
            # KRunner's description names the type of a dictionary without its array.
            kind = argument.get('type')
            of[argument.get('direction', 'in')] += 'a' + kind if kind.startswith('{') else kind
        out[method.get('name')] = of['in'], of['out']
    return out


done = subprocess.run(['gdbus', 'introspect', '--session', '-d', NAME, '-o', PATH, '--xml'], capture_output=True, text=True, timeout=60)
ours = ET.fromstring(done.stdout)
for interface, file, package in INTERFACES:
    ok(methods(ours, interface), f'the object has {interface}', done)
    description = described(file, package)
    if description:
        equal(methods(ours, interface), methods(ET.parse(description).getroot(), interface), f'and its methods are those of {package}')
    else:
        skip(f'its methods are those of {package}', f'{file} is not installed, and apt-get cannot download it')
finish()
