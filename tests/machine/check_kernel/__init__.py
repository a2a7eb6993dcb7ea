"""What `make check-machine` checks: tests that run in a machine with the kernel of tools/kernel.sh."""
