# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the test of clock.py in a machine of its own whose clock is set, so that files get the
time of that clock. JUMPS and CLOCK_SEED are as there. Needs Debian's user-mode-linux."""
import os, runpy, subprocess, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/faults'))
import machine

if not machine.inside():
    machine.boot(keep=['JUMPS', 'CLOCK_SEED'])
if subprocess.run(['tarsierd', '--version'], capture_output=True).returncode != 0:
    machine.skip_all('the programs do not run in this machine')
runpy.run_path(os.path.join(os.environ['abs_top_srcdir'], 'tests/faults/clock.py'), run_name='__main__')
