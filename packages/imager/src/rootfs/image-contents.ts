/** The Debian release everything in the image comes from. */
export const suite = "trixie";

/** Packages the image is made of; what they need is found by apt. */
export const imagePackages: readonly string[] = [
  "ca-certificates",
  "conntrack",
  "containerd",
  "containernetworking-plugins",
  "dosfstools",
  "e2fsprogs",
  "iptables",
  "kmod",
  "libatomic1",
  "libstdc++6",
  "mount",
  "netbase",
  "nftables",
  "runc",
  "udev",
  "util-linux",
  "xfsprogs",
];

/** Packages the image is made with. Taken from the same release, so that the host's versions do not matter. */
export const toolPackages: readonly string[] = ["binutils", "squashfs-tools"];

/**
 * Packages apt adds for maintainer scripts, or for programs that are not taken. They are not even downloaded; should a
 * program ever need one of their libraries, the build fails and names it.
 */
export const unwantedPackages: readonly RegExp[] = [
  /^(?:dash|bash|debconf|debianutils|dpkg|tar|coreutils|init-system-helpers)$/,
  /^(?:perl|perl-base|python3.*|libpython3.*|python3-.*)$/,
  /^(?:systemd|systemd-.*|dbus.*|libdbus-.*|libglib2.*|libicu.*)$/,
  /^(?:openssl|openssl-provider-.*|tzdata|media-types|readline-common|logsave|dmsetup)$/,
  /^(?:libpam-.*|libaudit-common|libdb5.*|libsqlite3.*|liblastlog.*|sensible-utils)$/,
];

/**
 * Programs of the image: whatever is not listed here is not in it. Their libraries follow from the files themselves.
 * Nothing here is a shell, an interpreter or a package manager.
 */
export const programs: readonly string[] = [
  "usr/bin/containerd",
  "usr/bin/containerd-shim-runc-v2",
  "usr/bin/kmod",
  "usr/bin/mount",
  "usr/bin/setpriv",
  "usr/bin/udevadm",
  "usr/bin/umount",
  "usr/lib/systemd/systemd-udevd",
  "usr/sbin/blkid",
  "usr/sbin/conntrack",
  "usr/sbin/e2fsck",
  "usr/sbin/fsck",
  "usr/sbin/fsck.ext4",
  "usr/sbin/fsck.fat",
  "usr/sbin/fsck.vfat",
  "usr/sbin/mke2fs",
  "usr/sbin/mkfs.ext4",
  "usr/sbin/mkfs.fat",
  "usr/sbin/mkfs.vfat",
  "usr/sbin/mkfs.xfs",
  "usr/sbin/modprobe",
  "usr/sbin/nft",
  "usr/sbin/resize2fs",
  "usr/sbin/runc",
  "usr/sbin/xfs_repair",
  "usr/sbin/xtables-nft-multi",
];

/** Libraries that are opened by name at run time, which no program's header tells. */
export const openedLibraries: readonly string[] = ["libgcc_s.so.1", "libkmod.so.2"];

/** Folders that are taken whole; `<triplet>` stands for the folder of libraries. */
export const trees: readonly string[] = ["usr/lib/<triplet>/xtables", "usr/lib/modprobe.d", "usr/lib/udev/rules.d"];

/** Single files that are neither programs nor libraries. */
export const plainFiles: readonly string[] = ["etc/mke2fs.conf", "etc/protocols", "etc/services"];

/** Plugins for pod networks, taken from Debian's folder to the one Kubernetes looks in. */
export const cniPlugins = {
  from: "usr/lib/cni",
  to: "opt/cni/bin",
  names: ["bridge", "firewall", "host-local", "loopback", "portmap"],
} as const;

/** Links that Debian makes in maintainer scripts (alternatives), which do not run here. */
export const alternativeLinks: Readonly<Record<string, string>> = Object.fromEntries(
  ["iptables", "ip6tables", "arptables", "ebtables"].flatMap((family) =>
    ["", "-save", "-restore"].map((verb) => [`usr/sbin/${family}${verb}`, "xtables-nft-multi"]),
  ),
);
