import { timestampMs } from "@bufbuild/protobuf/wkt";
import { formatTable, OsError } from "@talos-ts/base";
import { MachineService } from "@talos-ts/proto/machine/machine";
import type { ServiceInfo } from "@talos-ts/proto/machine/service";
import type { CommandDefinition, Invocation } from "../command.ts";
import { suggestServices } from "../completion/suggest.ts";
import { formatSeconds } from "../output/go-duration.ts";
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
  examples: ["talosctl services", "talosctl service etcd", "talosctl service kubelet restart"],
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
  start: (session, { io, signal }, id) => {
    const call = session.all(MachineService).serviceStart({ id }, { signal });
    return respond(session, io, session.answers("starting service", call));
  },
  stop: (session, { io, signal }, id) => {
    const call = session.all(MachineService).serviceStop({ id }, { signal });
    return respond(session, io, session.answers("stopping service", call));
  },
  restart: (session, { io, signal }, id) => {
    const call = session.all(MachineService).serviceRestart({ id }, { signal });
    return respond(session, io, session.answers("restarting service", call));
  },
};

async function respond(
  session: Session,
  io: Invocation["io"],
  answers: Promise<readonly (Parameters<Session["nodeOf"]>[0] & { readonly resp: string })[]>,
): Promise<void> {
  const rows = (await answers).map((message) => [session.nodeOf(message), message.resp]);
  io.out(formatTable([["NODE", "RESPONSE"], ...rows]));
}

async function servicesOf(session: Session, signal: AbortSignal): Promise<[node: string, service: ServiceInfo][]> {
  const call = session.all(MachineService).serviceList({}, { signal });
  const messages = await session.answers("listing services", call);
  return messages.flatMap((message) =>
    message.services.map((service): [string, ServiceInfo] => [session.nodeOf(message), service]),
  );
}

async function list(session: Session, { io, signal }: Invocation): Promise<void> {
  const rows = (await servicesOf(session, signal)).map(([node, service]) => {
    const last = service.events?.events.at(-1);
    const change = last === undefined ? "" : since(last.ts);
    return [node, service.id, service.state, health(service), `${change} ago`, last?.msg ?? "<none>"];
  });
  io.out(formatTable([["NODE", "SERVICE", "STATE", "HEALTH", "LAST CHANGE", "LAST EVENT"], ...rows]));
}

async function status(session: Session, { io, signal }: Invocation, id: string): Promise<void> {
  const found = (await servicesOf(session, signal)).filter(([, service]) => service.id === id);
  if (found.length === 0) {
    throw new OsError({
      kind: "not-found",
      code: "cli/no-service",
      message: `service ${JSON.stringify(id)} is not registered on any nodes`,
      next: "talosctl services",
    });
  }
  const rows = found.flatMap(([node, service]) => describe(node, service));
  io.out(formatTable(rows));
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
