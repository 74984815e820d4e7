/** Packages that the tools in images come from; what they need is found by apt. */
export const toolPackages: readonly string[] = [
  "ca-certificates",
  "conntrack",
  "coreutils",
  "e2fsprogs",
  "ethtool",
  "iptables",
  "kmod",
  "mount",
  "netbase",
  "nftables",
  "tar",
  "util-linux",
  "xfsprogs",
];

/** Packages apt adds for maintainer scripts, or for programs that are not taken. */
export const unwantedPackages: readonly RegExp[] = [
  /^(?:dash|bash|debconf|debianutils|dpkg|init-system-helpers)$/,
  /^(?:perl|perl-base|python3.*|libpython3.*)$/,
  /^(?:systemd|systemd-.*|dbus.*|libdbus-.*|libglib2.*|libicu.*)$/,
  /^(?:openssl|openssl-provider-.*|tzdata|media-types|readline-common|logsave|dmsetup)$/,
  /^(?:libpam-.*|libaudit-common|libdb5.*|libsqlite3.*|liblastlog.*|sensible-utils)$/,
];

/**
 * Programs that the kubelet, kube-proxy and flannel run: mounts and file systems of volumes, packet filters and connection
 * tracking; `cp` installs the network configuration of pods, and `tar` is the other end of `kubectl cp`.
 */
export const programs: readonly string[] = [
  "usr/bin/cp",
  "usr/bin/findmnt",
  "usr/bin/lsblk",
  "usr/bin/mount",
  "usr/bin/nsenter",
  "usr/bin/tar",
  "usr/bin/umount",
  "usr/sbin/blkid",
  "usr/sbin/conntrack",
  "usr/sbin/e2fsck",
  "usr/sbin/ethtool",
  "usr/sbin/fsck",
  "usr/sbin/fsck.ext4",
  "usr/sbin/losetup",
  "usr/sbin/mke2fs",
  "usr/sbin/mkfs.ext4",
  "usr/sbin/mkfs.xfs",
  "usr/sbin/modprobe",
  "usr/sbin/nft",
  "usr/sbin/resize2fs",
  "usr/sbin/tune2fs",
  "usr/sbin/xfs_growfs",
  "usr/sbin/xfs_repair",
  "usr/sbin/xtables-nft-multi",
];

/** Folders that are taken whole; `<triplet>` stands for the folder of libraries. */
export const trees: readonly string[] = ["usr/lib/<triplet>/xtables"];

export const plainFiles: readonly string[] = ["etc/mke2fs.conf", "etc/protocols", "etc/services"];
