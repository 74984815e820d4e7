/** A filter of system calls in the form of the OCI runtime specification. */
export interface SeccompProfile {
  readonly defaultAction: "SCMP_ACT_ERRNO";
  readonly architectures: readonly string[];
  readonly syscalls: readonly { readonly names: readonly string[]; readonly action: "SCMP_ACT_ALLOW" }[];
}

/** What Node.js, libuv and OpenSSL call in a daemon that reads files, talks to sockets and starts threads. */
const daemonCalls = [
  "accept accept4 arch_prctl bind brk capget capset clock_getres clock_gettime clock_nanosleep clone clone3 close close_range",
  "connect dup dup2 dup3 epoll_create epoll_create1 epoll_ctl epoll_pwait epoll_pwait2 epoll_wait eventfd eventfd2 execve",
  "exit exit_group faccessat faccessat2 access chdir chmod fadvise64 fchmod fchmodat fchown fcntl fdatasync flock fstat fstatfs fsync",
  "ftruncate futex get_robust_list getcwd getdents getdents64 getegid geteuid getgid getgroups getpeername getpgrp getpid",
  "getppid getpriority getrandom getresgid getresuid getrlimit getrusage getsid getsockname getsockopt gettid gettimeofday getuid",
  "getxattr ioctl kill lgetxattr listen lseek lstat madvise membarrier memfd_create mincore mkdir mkdirat mlock mmap mprotect mremap",
  "munlock munmap nanosleep newfstatat open openat openat2 pause pipe pipe2 poll ppoll prctl pread64 preadv prlimit64 pselect6",
  "pwrite64 pwritev read readlink readlinkat readv recvfrom recvmmsg recvmsg rename renameat renameat2 restart_syscall rmdir rseq",
  "rt_sigaction rt_sigpending rt_sigprocmask rt_sigqueueinfo rt_sigreturn rt_sigsuspend rt_sigtimedwait sched_get_priority_max",
  "sched_get_priority_min sched_getaffinity sched_getparam sched_getscheduler sched_setaffinity sched_yield select sendfile",
  "sendmmsg sendmsg sendto set_robust_list set_tid_address setgid setgroups setitimer setpriority setresgid setresuid setrlimit",
  "setsid setsockopt setuid shutdown sigaltstack socket socketpair stat statfs statx symlink symlinkat sysinfo tgkill time",
  "timerfd_create timerfd_gettime timerfd_settime times tkill umask uname unlink unlinkat utimensat wait4 waitid write writev",
].flatMap((line) => line.split(" "));

/** The profile of apid and trustd: what is not named fails with EPERM. */
export const daemonSeccomp: SeccompProfile = {
  defaultAction: "SCMP_ACT_ERRNO",
  architectures: { x64: ["SCMP_ARCH_X86_64"], arm64: ["SCMP_ARCH_AARCH64"] }[process.arch as "x64" | "arm64"] ?? [],
  syscalls: [{ names: daemonCalls, action: "SCMP_ACT_ALLOW" }],
};
