# SPDX-License-Identifier: GPL-3.0-or-later
"""The same as clock.py, but in a machine of its own whose clock is set: files written then carry
the time of then. JUMPS and CLOCK_SEED as there. Needs Debian's user-mode-linux."""
import os, runpy, subprocess, sys
sys.path.insert(0, os.path.join(os.environ['abs_top_srcdir'], 'tests/faults'))
import machine

if not machine.inside():
    machine.boot(keep=['JUMPS', 'CLOCK_SEED'])
if subprocess.run(['tarsierd', '--version'], capture_output=True).returncode != 0:
    machine.skip_all('the programs do not run in this machine')
runpy.run_path(os.path.join(os.environ['abs_top_srcdir'], 'tests/faults/clock.py'), run_name='__main__')
