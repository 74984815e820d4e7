import { closeSync, openSync } from "node:fs";
import { fileError, kernelError } from "./errno.ts";
import { libc } from "./libc.ts";
import { callOnThread } from "./thread.ts";

const CLONE_NEWNET = 0x40000000;

/** Describes a socket in errors, and where to open it. */
export interface SocketPlace {
  /** First part of the error codes. */
  readonly area: string;
  /** The kind of the socket, such as `netlink socket`. */
  readonly kind: string;
  /** A network namespace file (`/proc/<pid>/ns/net`, `/run/netns/x`). @default the namespace of this process */
  readonly networkNamespace?: string | undefined;
}

/** Opens a socket, also in another network namespace; `socket` are the arguments of socket(2). The caller closes it. */
export async function openSocket(place: SocketPlace, ...socket: readonly [number, number, number]): Promise<number> {
  const { area, kind, networkNamespace: path } = place;
  if (path === undefined) {
    const fd = libc().functions.socket(...socket);
    if (fd < 0) throw kernelError({ area, action: `open a ${kind}`, errno: libc().errno() });
    return fd;
  }
  let namespace: number;
  try {
    namespace = openSync(path, "r");
  } catch (err) {
    throw fileError(area, `open network namespace "${path}"`, err);
  }
  try {
    const { results, failed } = await callOnThread([
      { name: "setns", arguments: [namespace, CLONE_NEWNET] },
      { name: "socket", arguments: socket },
    ]);
    if (failed === undefined) return Number(results[1]);
    const action = `open a socket in network namespace "${path}"`;
    throw kernelError({ area, action, errno: failed.errno, details: { path } });
  } finally {
    closeSync(namespace);
  }
}
