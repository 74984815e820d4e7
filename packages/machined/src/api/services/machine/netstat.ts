import type { Linux } from "@talos-ts/linux";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { isKind, OsError } from "@talos-ts/base";
import {
  NetstatRequest_Filter as Filter,
  type ConnectRecordSchema,
  type NetstatRequest,
} from "@talos-ts/proto/machine/network";
import type { MachineMethod } from "./method.ts";
import { networkNamespaces, type NetworkNamespace } from "../../support/sockets/network-namespaces.ts";
import { parseSockets, type SocketEntry } from "../../support/sockets/parse-sockets.ts";
import { socketOwners, type SocketOwner } from "../../support/sockets/socket-owners.ts";

const protocols = ["tcp", "tcp6", "udp", "udp6", "udplite", "udplite6", "raw", "raw6"] as const;

const isOpenEnd = ({ remoteIp, remotePort }: SocketEntry): boolean =>
  remotePort === 0 && (remoteIp === "0.0.0.0" || remoteIp === "::");

const filters: Readonly<Record<Filter, (entry: SocketEntry) => boolean>> = {
  [Filter.ALL]: () => true,
  [Filter.LISTENING]: isOpenEnd,
  [Filter.CONNECTED]: ({ remoteIp, remotePort }) => remotePort !== 0 && remoteIp !== "0.0.0.0" && remoteIp !== "::",
};

export const netstat =
  (machine: { readonly linux: Linux; readonly root: string }): MachineMethod<"netstat"> =>
  async (request) => {
    const accept = filters[request.filter];
    if (accept === undefined) {
      throw new OsError({
        kind: "invalid-argument",
        code: "netstat/bad-filter",
        message: `invalid filter: ${String(request.filter)}`,
        next: "talosctl netstat --help",
      });
    }
    const owners = request.feature?.pid === true ? await socketOwners(machine.linux) : undefined;
    const wanted = protocols.filter((protocol) => request.l4proto?.[protocol] === true);
    const records: MessageInitShape<typeof ConnectRecordSchema>[] = [];
    for (const namespace of await chooseNamespaces(machine, request)) {
      for (const protocol of wanted) {
        const sockets = await socketsOf(machine, `${namespace.proc}/${protocol}`);
        for (const socket of sockets.filter(accept))
          records.push(describe(socket, protocol, namespace.name, owners?.get(socket.inode)));
      }
    }
    return { messages: [{ connectrecord: records }] };
  };

async function chooseNamespaces(
  machine: { readonly linux: Linux; readonly root: string },
  { netns }: NetstatRequest,
): Promise<readonly NetworkNamespace[]> {
  const [own, ...others] = await networkNamespaces(machine);
  const names = new Set(netns?.netns);
  const chosen = netns?.allnetns === true ? others : others.filter(({ name }) => names.has(name));
  return own !== undefined && netns?.hostnetwork === true ? [own, ...chosen] : chosen;
}

/** A protocol that the kernel does not have, or a process that has ended, leaves no sockets. */
async function socketsOf(
  machine: { readonly linux: Linux; readonly root: string },
  path: string,
): Promise<readonly SocketEntry[]> {
  try {
    return parseSockets(await machine.linux.textFiles.read(path));
  } catch (err) {
    if (isKind(err, "not-found") || isKind(err, "invalid-argument")) return [];
    throw err;
  }
}

function describe(
  socket: SocketEntry,
  protocol: string,
  netns: string,
  owner: SocketOwner | undefined,
): MessageInitShape<typeof ConnectRecordSchema> {
  return {
    l4proto: protocol,
    localip: socket.localIp,
    localport: socket.localPort,
    remoteip: socket.remoteIp,
    remoteport: socket.remotePort,
    state: socket.state,
    txqueue: socket.sendQueue,
    rxqueue: socket.receiveQueue,
    tr: socket.timer,
    timerwhen: socket.timerWhen,
    retrnsmt: socket.retransmits,
    uid: socket.uid,
    timeout: socket.timeout,
    inode: socket.inode,
    ref: socket.references,
    pointer: socket.pointer,
    process: owner ?? {},
    netns,
  };
}
