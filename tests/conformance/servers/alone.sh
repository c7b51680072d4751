#!/bin/sh
# Runs a command as a child, in a network of its own that has loopback alone: the suites' ports are nobody else's there.
# The harness starts this in namespaces of its own (unshare(1)), and what is left of it ends with this process.
ip link set lo up || exit 125
"$@"
