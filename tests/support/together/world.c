/* A clock that jumps and a disk that is slow: LD_PRELOAD it.

   $WORLD is a file of two int64: how many nanoseconds the clock on the wall is wrong, and how many microseconds a
   sync takes. The clock that counts from the start (CLOCK_MONOTONIC) is right, as on a machine. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { SECOND = 1000000000 };

static volatile int64_t *world;

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("WORLD");
    int fd = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (fd < 0) return;
    void *map = mmap(NULL, 16, PROT_READ, MAP_SHARED, fd, 0);
    if (map != MAP_FAILED) world = map;
    close(fd);
}

static int64_t now(void) {
    struct timespec real;
    syscall(SYS_clock_gettime, CLOCK_REALTIME, &real);
    return (int64_t)real.tv_sec * SECOND + real.tv_nsec + (world ? world[0] : 0);
}

int clock_gettime(clockid_t id, struct timespec *result) {
    if (id != CLOCK_REALTIME) return syscall(SYS_clock_gettime, id, result);
    int64_t ns = now();
    result->tv_sec = ns / SECOND;
    result->tv_nsec = ns % SECOND;
    return 0;
}

int gettimeofday(struct timeval *restrict result, void *restrict zone) {
    (void)zone;
    int64_t ns = now();
    result->tv_sec = ns / SECOND;
    result->tv_usec = ns % SECOND / 1000;
    return 0;
}

time_t time(time_t *result) {
    time_t seconds = now() / SECOND;
    if (result) *result = seconds;
    return seconds;
}

static void wait_for_the_disk(void) {
    if (world && world[1]) usleep(world[1]);
}

int fsync(int fd) {
    wait_for_the_disk();
    return syscall(SYS_fsync, fd);
}

int fdatasync(int fd) {
    wait_for_the_disk();
    return syscall(SYS_fdatasync, fd);
}
