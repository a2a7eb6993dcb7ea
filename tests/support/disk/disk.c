/* A disk that remembers in which order it was written, and fails on request: LD_PRELOAD it.

   What a program does with the files below $DISK_OF is done, and appended to the file $DISK_LOG as records:
   kind, length of the path, offset, length of the data, path, data. What was not synced before a moment may be
   missing after a power cut at that moment: disk.py makes such disks of the log.

   $DISK_FAULT is a file of two int32: which fault (see FAULT_...), and after how many calls that it concerns. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { FAULT_NONE, FAULT_FULL, FAULT_WRITE, FAULT_SYNC, FAULT_READ, FAULT_READ_ONLY };
enum { MOST_FILES = 1024 };

static const char *root;
static size_t root_length;
static int log_fd = -1;
static volatile int32_t *fault;
static char paths[MOST_FILES][256]; /* by descriptor, below the root; "" : not ours */
static char opened[MOST_FILES];

#define REAL(name) ({ static __typeof__(&name) real; if (!real) real = dlsym(RTLD_NEXT, #name); real; })

__attribute__((constructor)) static void begin(void) {
    const char *log = getenv("DISK_LOG"), *faults = getenv("DISK_FAULT");
    root = getenv("DISK_OF");
    if (!root || !log) return;
    root_length = strlen(root);
    log_fd = syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    int fd = faults ? syscall(SYS_openat, AT_FDCWD, faults, O_RDWR | O_CLOEXEC) : -1;
    if (fd >= 0) {
        void *map = mmap(NULL, 8, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        if (map != MAP_FAILED) fault = map;
        syscall(SYS_close, fd);
    }
}

/* The path below the root; NULL: not ours. */
static const char *ours(const char *path) {
    if (log_fd < 0 || strncmp(path, root, root_length) != 0) return NULL;
    path += root_length;
    if (*path == 0) return ".";
    return *path == '/' ? path + 1 : NULL;
}

static const char *path_of(int fd) {
    return log_fd >= 0 && fd >= 0 && fd < MOST_FILES && opened[fd] ? paths[fd] : NULL;
}

static void record(char kind, const char *path, uint64_t offset, const void *data, uint32_t length) {
    struct __attribute__((packed)) { char kind; uint16_t path; uint64_t offset; uint32_t data; } head =
        {kind, strlen(path), offset, length};
    struct iovec parts[] = {{&head, sizeof head}, {(void *)path, head.path}, {(void *)data, length}};
    int saved = errno;
    syscall(SYS_writev, log_fd, parts, 3);
    errno = saved;
}

/* Whether this call is to fail, as which fault. */
static int fails(int as) {
    if (!fault || fault[0] != as) return 0;
    if (fault[1] > 0) { fault[1]--; return 0; }
    return 1;
}

static int cannot_write(void) {
    if (fails(FAULT_FULL)) { errno = ENOSPC; return 1; }
    if (fails(FAULT_WRITE)) { errno = EIO; return 1; }
    if (fails(FAULT_READ_ONLY)) { errno = EROFS; return 1; }
    return 0;
}

static void remember(int fd, const char *path, int flags) {
    if (fd < 0 || fd >= MOST_FILES) return;
    opened[fd] = 0;
    if (!path) return;
    strncpy(paths[fd], path, sizeof paths[fd] - 1);
    opened[fd] = 1;
    if (flags & O_CREAT) record('C', path, 0, NULL, 0);
    if (flags & O_TRUNC) record('T', path, 0, NULL, 0);
}

#define OPEN(name)                                                        \
    int name(const char *path, int flags, ...) {                         \
        va_list more; va_start(more, flags);                             \
        mode_t mode = flags & O_CREAT ? va_arg(more, mode_t) : 0;        \
        va_end(more);                                                    \
        const char *mine = ours(path);                                   \
        if (mine && (flags & O_ACCMODE) != O_RDONLY && (flags & O_CREAT) && fails(FAULT_READ_ONLY)) { errno = EROFS; return -1; } \
        int fd = REAL(name)(path, flags, mode);                          \
        if (log_fd >= 0) remember(fd, mine, flags);                      \
        return fd;                                                       \
    }
OPEN(open)
OPEN(open64)

#define OPENAT(name)                                                     \
    int name(int at, const char *path, int flags, ...) {                 \
        va_list more; va_start(more, flags);                             \
        mode_t mode = flags & O_CREAT ? va_arg(more, mode_t) : 0;        \
        va_end(more);                                                    \
        int fd = REAL(name)(at, path, flags, mode);                      \
        if (log_fd >= 0) remember(fd, ours(path), flags);                \
        return fd;                                                       \
    }
OPENAT(openat)
OPENAT(openat64)

int close(int fd) {
    if (fd >= 0 && fd < MOST_FILES) opened[fd] = 0;
    return REAL(close)(fd);
}

ssize_t write(int fd, const void *data, size_t length) {
    const char *path = path_of(fd);
    if (!path) return REAL(write)(fd, data, length);
    if (strcmp(path, "confirmed") != 0 && cannot_write()) return -1; /* these are the confirmations */
    off_t at = syscall(SYS_lseek, fd, 0, SEEK_CUR);
    ssize_t done = REAL(write)(fd, data, length);
    if (done > 0) record('W', path, at, data, done);
    return done;
}

#define PWRITE(name, offset_t)                                           \
    ssize_t name(int fd, const void *data, size_t length, offset_t at) { \
        const char *path = path_of(fd);                                  \
        if (path && cannot_write()) return -1;                           \
        ssize_t done = REAL(name)(fd, data, length, at);                 \
        if (path && done > 0) record('W', path, at, data, done);         \
        return done;                                                     \
    }
PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)

#define TRUNCATE(name, offset_t)                                         \
    int name(int fd, offset_t length) {                                  \
        const char *path = path_of(fd);                                  \
        if (path && cannot_write()) return -1;                           \
        int done = REAL(name)(fd, length);                               \
        if (path && done == 0) record('T', path, length, NULL, 0);       \
        return done;                                                     \
    }
TRUNCATE(ftruncate, off_t)
TRUNCATE(ftruncate64, off64_t)

#define SYNC(name)                                                       \
    int name(int fd) {                                                   \
        const char *path = path_of(fd);                                  \
        if (path && fails(FAULT_SYNC)) { errno = EIO; return -1; }       \
        int done = REAL(name)(fd);                                       \
        if (path && done == 0) record('S', path, 0, NULL, 0);            \
        return done;                                                     \
    }
SYNC(fsync)
SYNC(fdatasync)

#define READ_FAILS(fd) (path_of(fd) && fails(FAULT_READ) ? (errno = EIO, 1) : 0)
ssize_t read(int fd, void *to, size_t length) {
    return READ_FAILS(fd) ? -1 : REAL(read)(fd, to, length);
}
ssize_t pread(int fd, void *to, size_t length, off_t at) {
    return READ_FAILS(fd) ? -1 : REAL(pread)(fd, to, length, at);
}
ssize_t pread64(int fd, void *to, size_t length, off64_t at) {
    return READ_FAILS(fd) ? -1 : REAL(pread64)(fd, to, length, at);
}

int unlink(const char *path) {
    int done = REAL(unlink)(path);
    const char *mine = ours(path);
    if (mine && done == 0) record('U', mine, 0, NULL, 0);
    return done;
}

int rename(const char *from, const char *to) {
    int done = REAL(rename)(from, to);
    const char *mine = ours(from), *theirs = ours(to);
    if (mine && theirs && done == 0) record('R', mine, 0, theirs, strlen(theirs));
    return done;
}
