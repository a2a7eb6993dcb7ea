/* Makes every fsync wait, as a memory card does: loaded into a program by LD_PRELOAD (bench/small_machine.py). */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

static int slowly(const char *name, int file) {
    int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
    const char *wait = getenv("BENCH_FSYNC_US");
    if (wait) usleep(atoi(wait));
    return real(file);
}

int fsync(int file) { return slowly("fsync", file); }
int fdatasync(int file) { return slowly("fdatasync", file); }
