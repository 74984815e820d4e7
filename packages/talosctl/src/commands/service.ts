import { timestampDate, timestampMs } from "@bufbuild/protobuf/wkt";
import { formatTable, OsError } from "@talos-ts/base";
import { MachineService } from "@talos-ts/proto/machine/machine";
import type { ServiceInfo } from "@talos-ts/proto/machine/service";
import type { CommandDefinition, Invocation } from "../command.ts";
import { suggestServices } from "../completion/suggest.ts";
import { formatSeconds } from "../output/go-duration.ts";
import { printRecords, recordFormatOption, wantsTable, type Column } from "../output/records.ts";
import { openSession, type Session } from "../session/session.ts";

const actions = ["status", "start", "stop", "restart"] as const;
type Action = (typeof actions)[number];

export const command: CommandDefinition = {
  description:
    "Shows all services, or the state and the last events of one. With an action, starts, stops or restarts a service.",
  arguments: [
    { spec: "[id]", description: "name of the service", suggest: suggestServices },
    { spec: "[action]", description: actions.join(", "), choices: actions },
  ],
  options: [recordFormatOption],
  examples: [
    "talosctl services",
    "talosctl services -o json",
    "talosctl service etcd",
    "talosctl service kubelet restart",
  ],
  async run(invocation) {
    const [id, action = "status"] = invocation.args;
    const known = actions.find((name) => name === action);
    if (known === undefined) {
      throw new OsError({
        kind: "invalid-argument",
        code: "cli/bad-action",
        message: `unsupported service action: ${JSON.stringify(action)}`,
        next: "talosctl service <id> start|stop|restart|status",
      });
    }
    await using session = await openSession(invocation);
    await (id === undefined ? list(session, invocation) : one[known](session, invocation, id));
  },
};

const one: Readonly<Record<Action, (session: Session, invocation: Invocation, id: string) => Promise<void>>> = {
  status,
  start: (session, invocation, id) => {
    const call = session.all(MachineService).serviceStart({ id }, { signal: invocation.signal });
    return respond(session, invocation, session.answers("starting service", call));
  },
  stop: (session, invocation, id) => {
    const call = session.all(MachineService).serviceStop({ id }, { signal: invocation.signal });
    return respond(session, invocation, session.answers("stopping service", call));
  },
  restart: (session, invocation, id) => {
    const call = session.all(MachineService).serviceRestart({ id }, { signal: invocation.signal });
    return respond(session, invocation, session.answers("restarting service", call));
  },
};

async function respond(
  session: Session,
  invocation: Invocation,
  answers: Promise<readonly (Parameters<Session["nodeOf"]>[0] & { readonly resp: string })[]>,
): Promise<void> {
  const records = (await answers).map((message) => ({ node: session.nodeOf(message), response: message.resp }));
  await printRecords(invocation, responseColumns, records);
}

const responseColumns: readonly Column<{ readonly node: string; readonly response: string }>[] = [
  ["NODE", ({ node }) => node],
  ["RESPONSE", ({ response }) => response],
];

async function servicesOf(session: Session, signal: AbortSignal): Promise<[node: string, service: ServiceInfo][]> {
  const call = session.all(MachineService).serviceList({}, { signal });
  const messages = await session.answers("listing services", call);
  return messages.flatMap((message) =>
    message.services.map((service): [string, ServiceInfo] => [session.nodeOf(message), service]),
  );
}

/** A service as programs read it. */
interface ServiceRecord {
  readonly node: string;
  readonly id: string;
  readonly state: string;
  /** `OK`, `Fail`, or `?` when nobody checks it. */
  readonly health: string;
  readonly healthMessage: string;
  /** Oldest first. */
  readonly events: readonly { readonly time: string; readonly state: string; readonly message: string }[];
}

function recordOf([node, service]: [node: string, service: ServiceInfo]): ServiceRecord {
  return {
    node,
    id: service.id,
    state: service.state,
    health: health(service),
    healthMessage: service.health?.lastMessage ?? "",
    events: (service.events?.events ?? []).map(({ ts, state, msg }) => ({
      time: ts === undefined ? "" : timestampDate(ts).toISOString(),
      state,
      message: msg,
    })),
  };
}

const columns: readonly Column<ServiceRecord>[] = [
  ["NODE", ({ node }) => node],
  ["SERVICE", ({ id }) => id],
  ["STATE", ({ state }) => state],
  ["HEALTH", (service) => service.health],
  ["LAST CHANGE", ({ events }) => `${sinceText(events.at(-1)?.time)} ago`],
  ["LAST EVENT", ({ events }) => events.at(-1)?.message ?? "<none>"],
];

const sinceText = (time: string | undefined): string =>
  time === undefined || time === "" ? "" : formatSeconds(Date.now() - Date.parse(time));

async function list(session: Session, invocation: Invocation): Promise<void> {
  await printRecords(invocation, columns, (await servicesOf(session, invocation.signal)).map(recordOf));
}

async function status(session: Session, invocation: Invocation, id: string): Promise<void> {
  const { io, signal } = invocation;
  const found = (await servicesOf(session, signal)).filter(([, service]) => service.id === id);
  if (found.length === 0) {
    throw new OsError({
      kind: "not-found",
      code: "cli/no-service",
      message: `service ${JSON.stringify(id)} is not registered on any nodes`,
      next: "talosctl services",
    });
  }
  if (!wantsTable(invocation)) return printRecords(invocation, columns, found.map(recordOf));
  io.out(formatTable(found.flatMap(([node, service]) => describe(node, service))));
}

function describe(node: string, service: ServiceInfo): string[][] {
  const message = service.health?.lastMessage ?? "";
  const events = (service.events?.events ?? [])
    .toReversed()
    .map((event, index) => [index === 0 ? "EVENTS" : "", `[${event.state}]: ${event.msg} (${since(event.ts)} ago)`]);
  return [
    ["NODE", node],
    ["ID", service.id],
    ["STATE", service.state],
    ["HEALTH", health(service)],
    ...(message === "" ? [] : [["LAST HEALTH MESSAGE", message]]),
    ...events,
  ];
}

function since(time: Parameters<typeof timestampMs>[0] | undefined): string {
  return formatSeconds(Date.now() - (time === undefined ? 0 : timestampMs(time)));
}

function health(service: ServiceInfo): string {
  if (service.health?.unknown !== false) return "?";
  return service.health.healthy ? "OK" : "Fail";
}
