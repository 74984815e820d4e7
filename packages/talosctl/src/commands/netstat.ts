import { OsError } from "@talos-ts/base";
import { ContainerDriver } from "@talos-ts/proto/common/common";
import { MachineService } from "@talos-ts/proto/machine/machine";
import {
  ConnectRecord_State as State,
  ConnectRecord_TimerActive as Timer,
  NetstatRequest_Filter as Filter,
  type ConnectRecord,
} from "@talos-ts/proto/machine/network";
import type { CommandDefinition, Invocation } from "../command.ts";
import { printRecords, recordFormatOption, wantsTable, type Column as RecordColumn } from "../output/records.ts";
import { openSession, type Session } from "../session/session.ts";
import { flag } from "../values.ts";

export const command: CommandDefinition = {
  description: "Shows sockets and connections of the node, of a pod, or of all pods.",
  arguments: [{ spec: "[pod]", description: "namespace/pod whose network to look at" }],
  options: [
    { flags: "-a, --all", description: "sockets in every state (default: connected ones)" },
    { flags: "-l, --listening", description: "sockets that listen" },
    { flags: "-k, --pods", description: "sockets of Kubernetes pods too" },
    { flags: "-p, --programs", description: "show the process of each socket" },
    { flags: "-x, --extend", description: "show user and inode" },
    { flags: "-o, --timers", description: "show timers" },
    { flags: "-t, --tcp", description: "only TCP" },
    { flags: "-u, --udp", description: "only UDP" },
    { flags: "-U, --udplite", description: "only UDP-Lite" },
    { flags: "-w, --raw", description: "only raw sockets" },
    { flags: "-4, --ipv4", description: "only IPv4" },
    { flags: "-6, --ipv6", description: "only IPv6" },
    { flags: "-v, --verbose", description: "all transport protocols" },
    // The short form is that of --timers, as Talos has it.
    { ...recordFormatOption, flags: "--output <format>" },
  ],
  examples: ["talosctl netstat -l -t -p", "talosctl netstat -k", "talosctl netstat -l --output json"],
  async run(invocation) {
    const { signal } = invocation;
    const [wanted] = invocation.args;
    const pods = flag(invocation, "pods");
    if (pods && wanted !== undefined) throw refused("cannot use --pods and specify a pod");
    await using session = await openSession(invocation);
    const namespaces = pods || wanted !== undefined ? await podNamespaces(session, signal) : [];
    const pod = namespaces.find(({ id }) => id === wanted?.toLowerCase());
    if (wanted !== undefined && pod === undefined)
      throw refused(`pod ${wanted} not found`, "talosctl containers --kubernetes");
    const client = pod === undefined ? session.all(MachineService) : session.one(MachineService, pod.node);
    const call = client.netstat(
      {
        filter: flag(invocation, "all")
          ? Filter.ALL
          : flag(invocation, "listening")
            ? Filter.LISTENING
            : Filter.CONNECTED,
        feature: { pid: flag(invocation, "programs") },
        l4proto: protocols(invocation),
        netns: { allnetns: pods, hostnetwork: pod === undefined, netns: pod === undefined ? [] : [pod.namespace] },
      },
      { signal },
    );
    const sockets = (await session.answers("getting sockets", call)).flatMap((message) => {
      const node = pod?.node ?? session.nodeOf(message);
      return message.connectrecord.map((record) => ({ node, record }));
    });
    if (!wantsTable(invocation)) return printRecords(invocation, [], sockets.map(socketRecord));
    const columns = columnsOf(invocation, namespaces).map(([heading, show]): RecordColumn<Socket> => [
      heading,
      ({ node, record }) => show(record, node),
    ]);
    if (sockets.length > 0) await printRecords(invocation, [["NODE", ({ node }) => node], ...columns], sockets);
  },
};

/** A socket, and the node that it is on. */
interface Socket {
  readonly node: string;
  readonly record: ConnectRecord;
}

/** A socket as programs read it; numbers that may be too large for JSON are text. */
function socketRecord({ node, record }: Socket): object {
  const { l4proto, localip, localport, remoteip, remoteport, state, rxqueue, txqueue, uid, inode, netns } = record;
  const owner = record.process;
  return {
    node,
    protocol: l4proto,
    local: { address: localip, port: localport },
    remote: { address: remoteip, port: remoteport },
    state: state === State.CLOSE ? "" : (State[state] ?? ""),
    receiveQueueBytes: String(rxqueue),
    sendQueueBytes: String(txqueue),
    uid,
    inode: String(inode),
    ...(netns !== "" && { networkNamespace: netns }),
    ...(owner !== undefined && owner.pid !== 0 && { process: { pid: owner.pid, name: owner.name } }),
  };
}

const families = ["tcp", "udp", "udplite", "raw"] as const;
type Family = (typeof families)[number];

/** Returns which transport protocols to show: those asked for, all with `--verbose`, or else TCP and UDP. */
function protocols(invocation: Invocation): Record<Family | `${Family}6`, boolean> {
  const asked = families.filter((family) => flag(invocation, "verbose") || flag(invocation, family));
  const shown: readonly Family[] = asked.length > 0 ? asked : ["tcp", "udp"];
  const ipv4 = flag(invocation, "ipv4") || !flag(invocation, "ipv6");
  const ipv6 = flag(invocation, "ipv6") || !flag(invocation, "ipv4");
  return Object.fromEntries(
    families.flatMap((family) => [
      [family, ipv4 && shown.includes(family)],
      [`${family}6`, ipv6 && shown.includes(family)],
    ]),
  ) as Record<Family | `${Family}6`, boolean>;
}

interface PodNamespace {
  readonly node: string;
  readonly id: string;
  readonly namespace: string;
}

/** The network namespace of each running pod. */
async function podNamespaces(session: Session, signal: AbortSignal): Promise<readonly PodNamespace[]> {
  const request = { namespace: "k8s.io", driver: ContainerDriver.CRI };
  const messages = await session.answers(
    "getting containers",
    session.all(MachineService).containers(request, { signal }),
  );
  return messages.flatMap((message) =>
    message.containers
      .filter(({ id, podId, pid, networkNamespace }) => id === podId && pid !== 0 && networkNamespace !== "")
      .map(({ id, networkNamespace }) => ({ node: session.nodeOf(message), id, namespace: networkNamespace })),
  );
}

type Column = readonly [name: string, show: (record: ConnectRecord, node: string) => string];

function columnsOf(invocation: Invocation, pods: readonly PodNamespace[]): readonly Column[] {
  const podOf = ({ netns }: ConnectRecord, at: string): string =>
    pods.find(({ node, namespace }) => node === at && namespace === netns)?.id ?? "-";
  const optional: readonly (readonly [option: string, columns: readonly Column[]])[] = [
    [
      "extend",
      [
        ["Uid", ({ uid }) => String(uid)],
        ["Inode", ({ inode }) => String(inode)],
      ],
    ],
    [
      "programs",
      [
        [
          "PID/Program name",
          ({ process: owner }) => (owner === undefined || owner.pid === 0 ? "-" : `${owner.pid}/${owner.name}`),
        ],
      ],
    ],
    ["pods", [["Pod", podOf]]],
    [
      "timers",
      [
        [
          "Timer",
          ({ tr, timerwhen, retrnsmt, timeout }) =>
            `${(Timer[tr] ?? "").toLowerCase()} (${(Number(timerwhen) / 100).toFixed(2)}/${retrnsmt}/${timeout})`,
        ],
      ],
    ],
  ];
  return [
    ["Proto", ({ l4proto }) => l4proto],
    ["Recv-Q", ({ rxqueue }) => String(rxqueue)],
    ["Send-Q", ({ txqueue }) => String(txqueue)],
    ["Local Address", ({ localip, localport }) => `${localip}:${localport}`],
    ["Foreign Address", ({ remoteip, remoteport }) => `${remoteip}:${remoteport === 0 ? "*" : remoteport}`],
    ["State", ({ state }) => (state === State.CLOSE ? "" : (State[state] ?? ""))],
    ...optional.flatMap(([option, columns]) => (flag(invocation, option) ? columns : [])),
  ];
}

const refused = (message: string, next = "talosctl netstat --help"): OsError =>
  new OsError({ kind: "invalid-argument", code: "cli/bad-request", message, next });
