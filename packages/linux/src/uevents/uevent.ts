import { malformed } from "../ffi/errno.ts";

/** A change of a device, as the kernel announces it. */
export interface Uevent {
  /** `add`, `remove`, `change`, `move`, `online`, `offline`, `bind`, `unbind`. */
  readonly action: string;
  /** Path under /sys. */
  readonly devicePath: string;
  readonly subsystem: string;
  readonly values: ReadonlyMap<string, string>;
}

/** After `overrun` some events were lost: look at /sys again. */
export type UeventMessage = { readonly kind: "uevent"; readonly uevent: Uevent } | { readonly kind: "overrun" };

/** Subscription to device events of the kernel (`NETLINK_KOBJECT_UEVENT`). */
export interface Uevents {
  /** Subscribes; events from then on are kept until they are read. Aborting ends the iteration without an error. */
  watch(options?: { readonly signal?: AbortSignal }): Promise<AsyncIterable<UeventMessage> & Disposable>;
}

/** `action@path NUL KEY=value NUL …`. @throws OsError `uevent/malformed` */
export function parseUevent(bytes: Buffer): Uevent {
  const [head = "", ...pairs] = bytes.toString().split("\0");
  const at = head.indexOf("@");
  if (at < 1) throw malformed("uevent", "a uevent: expected it to begin with action@path", { head: head.slice(0, 64) });
  const values = new Map<string, string>();
  for (const pair of pairs) {
    const equals = pair.indexOf("=");
    if (equals > 0) values.set(pair.slice(0, equals), pair.slice(equals + 1));
  }
  return {
    action: head.slice(0, at),
    devicePath: head.slice(at + 1),
    subsystem: values.get("SUBSYSTEM") ?? "",
    values,
  };
}
