/** Names of the kernel's capabilities; the position is the bit. */
const names = [
  "CHOWN DAC_OVERRIDE DAC_READ_SEARCH FOWNER FSETID KILL SETGID SETUID SETPCAP LINUX_IMMUTABLE",
  "NET_BIND_SERVICE NET_BROADCAST NET_ADMIN NET_RAW IPC_LOCK IPC_OWNER SYS_MODULE SYS_RAWIO SYS_CHROOT",
  "SYS_PTRACE SYS_PACCT SYS_ADMIN SYS_BOOT SYS_NICE SYS_RESOURCE SYS_TIME SYS_TTY_CONFIG MKNOD LEASE",
  "AUDIT_WRITE AUDIT_CONTROL SETFCAP MAC_OVERRIDE MAC_ADMIN SYSLOG WAKE_ALARM BLOCK_SUSPEND AUDIT_READ",
  "PERFMON BPF CHECKPOINT_RESTORE",
].flatMap((line) => line.split(" "));

/** The capabilities a mask such as `CapBnd` of `/proc/self/status` allows; bits without a name are left out. */
export function capabilitiesOf(mask: string): string[] {
  const bits = BigInt(`0x${mask}`);
  return names.filter((_, bit) => (bits >> BigInt(bit)) & 1n).map((name) => `CAP_${name}`);
}
