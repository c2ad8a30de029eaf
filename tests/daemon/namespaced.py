# SPDX-License-Identifier: GPL-3.0-or-later
"""Import it before daemontest: the script restarts in a name space of its own, where it may
mount."""
import os, subprocess, sys
if 'IN_NAMESPACE' not in os.environ:
    wrapper = ['unshare', '-rm', '--propagation', 'private']
    if subprocess.run([*wrapper, 'mount', '-t', 'tmpfs', 'none', os.environ['TEST_TMP']], capture_output=True).returncode != 0:
        print('1..0 # SKIP no name spaces for mounts')
        sys.exit(0)
    os.environ['IN_NAMESPACE'] = '1'
    os.execvp(wrapper[0], [*wrapper, sys.executable, *sys.argv])
