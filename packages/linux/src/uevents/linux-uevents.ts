import { openNetlink } from "../netlink/socket.ts";
import { subscribe } from "../netlink/subscription.ts";
import { parseUevent, type UeventMessage, type Uevents } from "./uevent.ts";

/** Messages of udevd travel in other groups and begin with its name. */
const KERNEL_GROUP = 1;

export function createLinuxUevents(): Uevents {
  return {
    async watch({ signal } = {}) {
      const receiveBufferBytes = 16 * 1024 * 1024;
      const socket = await openNetlink({ protocol: "uevent", groups: KERNEL_GROUP, receiveBufferBytes });
      return subscribe<UeventMessage>(socket, {
        decode: (datagram) => [{ kind: "uevent", uevent: parseUevent(datagram) }],
        overrun: { kind: "overrun" },
        signal,
      });
    },
  };
}
