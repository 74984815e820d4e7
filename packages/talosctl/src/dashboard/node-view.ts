import type { Counters, MemberFacts, NodeSample, ProcessFacts } from "./sample.ts";

/** Values kept for graphs: at the default interval, the last 12 minutes. */
const historyLength = 240;

/** Values over time, oldest first. */
export interface History {
  /** Shares, 0 to 1. */
  readonly cpu: readonly number[];
  readonly memory: readonly number[];
  readonly load: readonly number[];
  /** Bytes per second. */
  readonly received: readonly number[];
  readonly sent: readonly number[];
  readonly read: readonly number[];
  readonly written: readonly number[];
}

/** A process with its share of one processor since the sample before. */
export interface ProcessView extends ProcessFacts {
  /** 0 to the number of processors. */
  readonly cpu: number;
}

/** What the dashboard knows of one node. */
export interface NodeView {
  /** What calls for it are addressed to. */
  readonly address: string;
  readonly member: MemberFacts | undefined;
  /** Facts as they were last told; `undefined` as long as the node never answered. */
  readonly facts: NodeSample | undefined;
  /** Wall time of the last answer, in ms. */
  readonly answeredMs: number | undefined;
  /** Why it did not answer the last time it was asked; `undefined` when it did. */
  readonly failure: string | undefined;
  readonly history: History;
  readonly processes: readonly ProcessView[];
}

const noHistory: History = { cpu: [], memory: [], load: [], received: [], sent: [], read: [], written: [] };

/** A node that was not asked yet. */
export function newNode(address: string, member?: MemberFacts): NodeView {
  return {
    address,
    member,
    facts: undefined,
    answeredMs: undefined,
    failure: undefined,
    history: noHistory,
    processes: [],
  };
}

/** The name that people know a node by. */
export function nodeName({ facts, member, address }: NodeView): string {
  return facts?.hostname || member?.hostname || address;
}

/** Takes in an answer of a node. */
export function withSample(node: NodeView, sample: NodeSample, nowMs: number): NodeView {
  const before = node.facts;
  const seconds = node.answeredMs === undefined ? 0 : (nowMs - node.answeredMs) / 1000;
  return {
    ...node,
    facts: { ...before, ...sample },
    answeredMs: nowMs,
    failure: undefined,
    history: longer(node.history, before, sample, seconds),
    processes: sample.processes === undefined ? node.processes : busiest(before?.processes, sample.processes, seconds),
  };
}

/** Notes that a node did not answer; what is known of it stays. */
export function withFailure(node: NodeView, failure: string): NodeView {
  return { ...node, failure };
}

function longer(history: History, before: NodeSample | undefined, now: NodeSample, seconds: number): History {
  const cpuTotal = growth(before?.cpu, now.cpu, "cpuTotal");
  const cpuBusy = growth(before?.cpu, now.cpu, "cpuBusy");
  const rate = (bytes: number | undefined): number | undefined =>
    bytes === undefined || seconds <= 0 ? undefined : bytes / seconds;
  return {
    cpu: add(history.cpu, cpuTotal === undefined || cpuTotal === 0 ? undefined : (cpuBusy ?? 0) / cpuTotal),
    memory: add(history.memory, now.memory === undefined ? undefined : now.memory.used / (now.memory.total || 1)),
    load: add(history.load, now.load?.[0]),
    received: add(history.received, rate(growth(before?.network, now.network, "received"))),
    sent: add(history.sent, rate(growth(before?.network, now.network, "sent"))),
    read: add(history.read, rate(growth(before?.disks, now.disks, "read"))),
    written: add(history.written, rate(growth(before?.disks, now.disks, "written"))),
  };
}

/** How much a counter grew; `undefined` when one of the values is missing, or after a restart of the machine. */
function growth<K extends keyof Counters>(
  before: Pick<Counters, K> | undefined,
  now: Pick<Counters, K> | undefined,
  name: K,
): number | undefined {
  if (before === undefined || now === undefined) return undefined;
  const grown = now[name] - before[name];
  return grown < 0 ? undefined : grown;
}

function add(values: readonly number[], value: number | undefined): readonly number[] {
  return value === undefined ? values : [...values, value].slice(-historyLength);
}

function busiest(
  before: readonly ProcessFacts[] | undefined,
  now: readonly ProcessFacts[],
  seconds: number,
): readonly ProcessView[] {
  const times = new Map(before?.map(({ pid, cpuTime }) => [pid, cpuTime]));
  return now
    .map((each) => {
      const used = each.cpuTime - (times.get(each.pid) ?? each.cpuTime);
      return { ...each, cpu: seconds > 0 && used > 0 ? used / seconds : 0 };
    })
    .toSorted((a, b) => b.cpu - a.cpu || b.memoryBytes - a.memoryBytes || a.pid - b.pid);
}
