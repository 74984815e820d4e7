/** Kinds of platform a machine runs on, which decide what it may do to its disks and kernel. */
export const platformModes = ["metal", "cloud", "container"] as const;

/** One of `platformModes`. */
export type PlatformMode = (typeof platformModes)[number];
