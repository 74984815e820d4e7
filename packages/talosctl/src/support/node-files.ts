import { describeError, formatTable, isKind } from "@talos-ts/base";
import type { ResourceDefinition } from "@talos-ts/cosi";
import { talosVersion } from "@talos-ts/machinery/constants";
import { listDefinitions, openResources, rawResources } from "@talos-ts/machinery/client/resources";
import { Diagnostic } from "@talos-ts/machinery/resources/runtime";
import { ContainerDriver, type Data } from "@talos-ts/proto/common/common";
import { InspectService } from "@talos-ts/proto/inspect/inspect";
import { MachineService } from "@talos-ts/proto/machine/machine";
import { renderTypeGraph } from "../output/dependency-graph.ts";
import { humanBytes } from "../output/humanize.ts";
import { createResourceWriter } from "../output/resources/resource-writer.ts";
import { unpackEvent } from "../session/events.ts";
import type { Session } from "../session/session.ts";
import { redactSpec } from "./redact.ts";
import type { NodeFacts, SupportFile } from "./support-file.ts";
import { eventTime, logEntries, serviceEntries } from "./timeline.ts";

/** Most that is kept of one log, in bytes. */
const maxLogBytes = 32 * 1024 * 1024;

/** A node with what is learned of it. */
export interface SupportNode {
  readonly session: Session;
  /** `undefined` for the endpoint itself. */
  readonly target: string | undefined;
  readonly facts: NodeFacts;
}

/** Files that do not depend on what the node has. */
function fixedFiles(node: SupportNode): readonly SupportFile[] {
  const { session, target, facts } = node;
  const machine = session.one(MachineService, target);
  return [
    { name: "dmesg.log", collect: (signal) => log(node, "kernel", machine.dmesg({}, { signal })) },
    { name: "controller-runtime.log", collect: (signal) => serviceLog(node, "controller-runtime", signal) },
    { name: "dns-resolve-cache.log", collect: (signal) => serviceLog(node, "dns-resolve-cache", signal) },
    {
      name: "dependencies.dot",
      async collect(signal) {
        const { messages } = await session.one(InspectService, target).controllerRuntimeDependencies({}, { signal });
        return renderTypeGraph(messages.flatMap(({ edges }) => edges));
      },
    },
    {
      name: "mounts",
      async collect(signal) {
        const rows = (await machine.mounts({}, { signal })).messages.flatMap(({ stats }) =>
          stats.map(({ filesystem, size, available, mountedOn }) => [
            filesystem,
            humanBytes(size),
            humanBytes(available),
            mountedOn,
          ]),
        );
        return formatTable([["FILESYSTEM", "SIZE", "AVAILABLE", "MOUNTED ON"], ...rows]);
      },
    },
    { name: "devices", collect: (signal) => readFile(node, "/proc/bus/pci/devices", signal) },
    {
      name: "io",
      async collect(signal) {
        const rows = (await machine.diskStats({}, { signal })).messages.flatMap(({ devices }) =>
          devices.map((each) =>
            [each.name, each.ioTimeMs, each.ioTimeWeightedMs, each.writeSectors, each.readSectors].map(String),
          ),
        );
        const header = ["NAME", "IO_TIME", "IO_TIME_WEIGHTED", "DISK_WRITE_SECTORS", "DISK_READ_SECTORS"];
        return formatTable([header, ...rows]);
      },
    },
    {
      name: "processes",
      async collect(signal) {
        const rows = (await machine.processes({}, { signal })).messages.flatMap(({ processes }) =>
          processes.map((each) => [
            String(each.pid),
            each.state,
            String(each.threads),
            each.cpuTime.toFixed(2),
            humanBytes(each.virtualMemory),
            humanBytes(each.residentMemory),
            each.args === "" ? each.command : each.args,
          ]),
        );
        return formatTable([["PID", "STATE", "THREADS", "CPU-TIME", "VIRTMEM", "RESMEM", "COMMAND"], ...rows]);
      },
    },
    { name: "events.log", collect: (signal) => events(node, signal) },
    {
      name: "summary",
      collect: async () => `Client:\n\tTag: ${talosVersion}\nServer:\n\tNODE: ${facts.node}\n\tTag: ${facts.version}\n`,
    },
  ];
}

/**
 * Lists the files of a node. It is asked which services, resources and containers it has.
 *
 * @throws when it does not answer
 */
export async function nodeFiles(node: SupportNode, signal: AbortSignal): Promise<readonly SupportFile[]> {
  const { session, target, facts } = node;
  const machine = session.one(MachineService, target);
  const [version] = (await machine.version({}, { signal })).messages;
  facts.version = version?.version?.tag ?? "unknown";
  facts.services = (await machine.serviceList({}, { signal })).messages.flatMap(({ services }) => services);
  for (const service of facts.services) facts.timeline.push(...serviceEntries(facts.node, service));
  await attempt(facts, "diagnostics", async () => {
    const found = await openResources(session.connection, target, [Diagnostic]).list(Diagnostic);
    facts.diagnostics = found.map(({ metadata, spec }) => Object.assign({ id: metadata.id }, spec));
  });
  const definitions = await attempt(facts, "resources", () =>
    listDefinitions(rawResources(session.connection, target)),
  );
  return [
    ...fixedFiles(node),
    ...(definitions ?? []).map((definition) => resourceFile(node, definition)),
    ...facts.services.flatMap(({ id, state, health, events: history }): SupportFile[] => [
      { name: `service-logs/${id}.log`, collect: (stop) => serviceLog(node, id, stop) },
      {
        name: `service-logs/${id}.state`,
        collect: async () =>
          formatTable([
            ["ID", id],
            ["STATE", state],
            ["HEALTH", health?.unknown === false ? (health.healthy ? "OK" : "Fail") : "?"],
            ...(health?.lastMessage ? [["LAST HEALTH MESSAGE", health.lastMessage]] : []),
            ...(history?.events ?? []).map((event) => ["EVENT", `[${event.state}]: ${event.msg}`]),
          ]),
      },
    ]),
    ...((await attempt(facts, "kubernetes-logs", () => containerFiles(node, signal))) ?? []),
  ];
}

/** Runs a part that others do not depend on; its failure is recorded. */
async function attempt<T>(facts: NodeFacts, source: string, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (err) {
    facts.errors.push({ source, message: describeError(err) });
    return undefined;
  }
}

function resourceFile({ session, target, facts }: SupportNode, definition: ResourceDefinition): SupportFile {
  const { type, defaultNamespace } = definition;
  return {
    name: `resources/${type.toLowerCase()}.yaml`,
    async collect() {
      const found = await rawResources(session.connection, target).list({ namespace: defaultNamespace, type });
      facts.resources.set(type, found.length);
      if (found.length === 0) return undefined;
      let text = "";
      const writer = await createResourceWriter("yaml", (part) => void (text += part));
      writer.header(definition, false);
      for (const resource of found) {
        const spec = { ...resource.spec, yaml: redactSpec(definition, resource.spec.yaml) };
        writer.resource(facts.node, { ...resource, spec });
      }
      writer.flush();
      return text;
    },
  };
}

/** Logs of the pods of the control plane; a node without Kubernetes has none. */
async function containerFiles(node: SupportNode, signal: AbortSignal): Promise<readonly SupportFile[]> {
  const machine = node.session.one(MachineService, node.target);
  const source = { namespace: "k8s.io", driver: ContainerDriver.CRI };
  const { messages } = await machine.containers(source, { signal }).catch((err: unknown) => {
    if (isKind(err, "unavailable") || isKind(err, "not-found") || isKind(err, "failed-precondition"))
      return { messages: [] };
    throw err;
  });
  const found = messages
    .flatMap(({ containers }) => containers)
    .filter(({ podId, id }) => podId.startsWith("kube-system/") && id !== podId);
  const names = new Set<string>();
  return found.map(({ id, podId, name, pid }) => {
    const ended = pid === 0 ? "-exited" : "";
    const plain = `kube-system/${name}${ended}.log`;
    // Two pods may have containers of the same name.
    const unique = names.has(plain) ? `${podId}-${name}${ended}.log` : plain;
    names.add(plain);
    return {
      name: `kubernetes-logs/${unique}`,
      collect: (stop) =>
        log(node, `${podId}:${name}`, machine.logs({ ...source, id, tailLines: -1 }, { signal: stop })),
    };
  });
}

function serviceLog(node: SupportNode, id: string, signal: AbortSignal): Promise<Buffer | undefined> {
  const machine = node.session.one(MachineService, node.target);
  const request = { namespace: "system", driver: ContainerDriver.CONTAINERD, id, tailLines: -1 };
  return log(node, id, machine.logs(request, { signal }));
}

async function log(node: SupportNode, source: string, stream: AsyncIterable<Data>): Promise<Buffer | undefined> {
  const text = await readAll(stream).catch((err: unknown) => {
    // A service that never ran has no log.
    if (isKind(err, "not-found")) return Buffer.alloc(0);
    throw err;
  });
  node.facts.timeline.push(...logEntries(node.facts.node, source, text.toString()));
  return text.length === 0 ? undefined : text;
}

async function readFile(node: SupportNode, path: string, signal: AbortSignal): Promise<Buffer | undefined> {
  try {
    return await readAll(node.session.one(MachineService, node.target).read({ path }, { signal }));
  } catch (err) {
    // Machines in containers, and those without PCI, have no such file.
    if (isKind(err, "not-found")) return undefined;
    throw err;
  }
}

async function readAll(stream: AsyncIterable<Data>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const { bytes } of stream) {
    chunks.push(bytes);
    size += bytes.length;
    if (size > maxLogBytes) {
      chunks.push(Buffer.from(`\n[cut after ${String(size)} bytes]\n`));
      break;
    }
  }
  return Buffer.concat(chunks);
}

/** Time without an event after which the history is over: nodes go on to send what happens. */
const quietMs = 1000;

async function events({ session, target, facts }: SupportNode, signal: AbortSignal): Promise<string | undefined> {
  const lines: string[] = [];
  const quiet = new AbortController();
  const stream = session
    .one(MachineService, target)
    .events({ tailEvents: -1 }, { signal: AbortSignal.any([signal, quiet.signal]) });
  // A busy node takes its time until it greets.
  let timer: NodeJS.Timeout | undefined;
  try {
    for await (const event of stream) {
      clearTimeout(timer);
      timer = setTimeout(() => quiet.abort(), quietMs);
      const payload = unpackEvent(event);
      const at = eventTime(event.id);
      if (payload === undefined || at === undefined) continue;
      const { $typeName } = payload;
      const text = `${$typeName.slice("machine.".length)} ${JSON.stringify(payload, plainNumber)}`;
      lines.push(`${new Date(at).toISOString()} ${text}\n`);
      const problem = "error" in payload && payload.error !== undefined;
      // Services tell their states with more precise times.
      if ($typeName !== "machine.ServiceStateEvent")
        facts.timeline.push({ at, node: facts.node, source: "event", text, problem });
    }
  } catch (err) {
    if (!quiet.signal.aborted) throw err;
  } finally {
    clearTimeout(timer);
  }
  return lines.length === 0 ? undefined : lines.join("");
}

const plainNumber = (key: string, value: unknown): unknown =>
  key === "$typeName" || key === "$unknown" ? undefined : typeof value === "bigint" ? Number(value) : value;
