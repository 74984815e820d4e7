/** A filter of system calls in the form of the OCI runtime specification. */
export interface SeccompProfile {
  readonly defaultAction: SeccompAction;
  readonly architectures: readonly string[];
  readonly syscalls: readonly { readonly names: readonly string[]; readonly action: SeccompAction }[];
}

/** A call that is not allowed fails with EPERM. */
type SeccompAction = "SCMP_ACT_ALLOW" | "SCMP_ACT_ERRNO";

/** That of the machine: calls in the form of another one are refused. */
const architectures =
  { x64: ["SCMP_ARCH_X86_64"], arm64: ["SCMP_ARCH_AARCH64"] }[process.arch as "x64" | "arm64"] ?? [];

/** System calls of Node.js, libuv and OpenSSL in a daemon that reads files, talks to sockets and starts threads. */
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
  architectures,
  syscalls: [{ names: daemonCalls, action: "SCMP_ACT_ALLOW" }],
};

/**
 * System calls that no container of a service gets, not even one with every capability: those that would replace the running
 * kernel, that the kernel keeps for old programs or never had, and those that have been ways out of containers.
 */
const refusedCalls = [
  "kexec_file_load kexec_load swapoff swapon io_uring_enter io_uring_register io_uring_setup userfaultfd",
  "_sysctl sysfs uselib ustat nfsservctl vm86 vm86old create_module get_kernel_syms query_module",
  "afs_syscall getpmsg putpmsg security tuxcall vserver epoll_ctl_old epoll_wait_old",
].flatMap((line) => line.split(" "));

/** The profile of etcd and the kubelet. Key calls stay allowed: the kubelet keeps keys of volumes. */
export const serviceSeccomp: SeccompProfile = {
  defaultAction: "SCMP_ACT_ALLOW",
  architectures,
  syscalls: [{ names: refusedCalls, action: "SCMP_ACT_ERRNO" }],
};
