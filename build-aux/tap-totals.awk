# SPDX-License-Identifier: GPL-3.0-or-later
# tap-totals.awk: shows what failed in a TAP stream and its totals in the form of automake's summary
/^ok .*# SKIP/ || /^1\.\.0 # SKIP/ { skip++; print "SKIP: " $0; next }
/^ok/ { pass++; next }
/^not ok/ { fail++; print "FAIL: " $0; next }
/^Bail out!/ { error++; print "ERROR: " $0; next }
/^#/ { print }
END {
	print "# PASS:  " pass + 0; print "# SKIP:  " skip + 0
	print "# FAIL:  " fail + 0; print "# ERROR: " error + 0
	exit fail + error > 0 || pass + skip == 0
}
