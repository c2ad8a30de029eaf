# SPDX-License-Identifier: GPL-3.0-or-later
"""Import it before daemontest: the script restarts with mounts of its own, where root may use loop
devices. Without root it goes on, and finds that it may not."""
import os, subprocess, sys
if 'IN_NAMESPACE' not in os.environ:
    os.environ['IN_NAMESPACE'] = '1'
    wrapper = ['unshare', '-m', '--propagation', 'private']
    if subprocess.run([*wrapper, 'true'], capture_output=True).returncode == 0:
        os.execvp(wrapper[0], [*wrapper, sys.executable, *sys.argv])
