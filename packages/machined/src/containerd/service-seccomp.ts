import type { SeccompProfile } from "./oci-spec.ts";

/**
 * System calls that no container of a service gets, not even one with every capability: those that would replace the running kernel, that the kernel
 * keeps for old programs or never had, and those that have been ways out of containers.
 */
const denied = [
  ["kexec_file_load", "kexec_load"],
  ["swapoff", "swapon"],
  ["io_uring_enter", "io_uring_register", "io_uring_setup", "userfaultfd"],
  ["_sysctl", "sysfs", "uselib", "ustat", "nfsservctl", "vm86", "vm86old"],
  ["create_module", "get_kernel_syms", "query_module"],
  ["afs_syscall", "getpmsg", "putpmsg", "security", "tuxcall", "vserver", "epoll_ctl_old", "epoll_wait_old"],
].flat();

const EPERM = 1;

/** The filter of the containers of services, see seccomp(2). Key calls stay allowed: the kubelet keeps keys of volumes. */
export const serviceSeccomp: SeccompProfile = {
  defaultAction: "SCMP_ACT_ALLOW",
  syscalls: [{ names: denied, action: "SCMP_ACT_ERRNO", errnoRet: EPERM }],
};
