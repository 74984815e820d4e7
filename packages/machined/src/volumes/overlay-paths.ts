/** Folders of the read-only root that programs write to; a machine with disks keeps what they write below `/var`. */
export const overlayPaths = ["/etc/cni", "/etc/kubernetes", "/usr/libexec/kubernetes", "/opt"] as const;
