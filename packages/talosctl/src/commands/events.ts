import { createRegistry, type Registry } from "@bufbuild/protobuf";
import { anyUnpack } from "@bufbuild/protobuf/wkt";
import {
  AddressEventSchema,
  ConfigLoadErrorEventSchema,
  ConfigValidationErrorEventSchema,
  MachineStatusEvent_MachineStage as Stage,
  MachineStatusEventSchema,
  PhaseEvent_Action,
  PhaseEventSchema,
  SequenceEvent_Action,
  SequenceEventSchema,
  ServiceStateEvent_Action,
  ServiceStateEventSchema,
  TaskEvent_Action,
  TaskEventSchema,
  type AddressEvent,
  type ConfigLoadErrorEvent,
  type ConfigValidationErrorEvent,
  type Event,
  type MachineStatusEvent,
  type PhaseEvent,
  type SequenceEvent,
  type ServiceStateEvent,
  type TaskEvent,
} from "@talos-ts/proto/machine/event";
import { MachineService } from "@talos-ts/proto/machine/machine";
import type { CommandDefinition } from "../command.ts";
import { createColumns } from "../output/columns.ts";
import { parseDuration } from "../output/go-duration.ts";
import { openSession } from "../session/session.ts";
import { readStream } from "../session/stream.ts";
import { integerOption, textOption } from "../values.ts";

export const command: CommandDefinition = {
  description: "Shows what happens on the nodes until interrupted: sequences, services, addresses, machine status.",
  options: [
    { flags: "--tail <count>", description: "begin with so many past events (-1: all)", default: "0" },
    { flags: "--duration <duration>", description: "begin with the events of this past time" },
    { flags: "--since <id>", description: "begin after the event with this id" },
    { flags: "--actor-id <id>", description: "only events that this actor caused" },
  ],
  examples: ["talosctl events --tail -1", "talosctl events --duration 10m"],
  async run(invocation) {
    const { io, signal } = invocation;
    await using session = await openSession(invocation);
    const stream = session.all(MachineService).events(
      {
        tailEvents: integerOption(invocation, "tail") ?? 0,
        tailSeconds: Math.round(parseDuration(textOption(invocation, "duration") ?? "0") / 1000),
        tailId: textOption(invocation, "since") ?? "",
        withActorId: textOption(invocation, "actorId") ?? "",
      },
      { signal },
    );
    const columns = createColumns((text) => io.out(text));
    columns.add(["NODE", "ID", "EVENT", "ACTOR", "SOURCE", "MESSAGE"]);
    columns.flush();
    await readStream(session, stream, signal, (event, node) => {
      const told = describeEvent(event);
      if (told === undefined) return;
      columns.add([node, event.id, event.data?.typeUrl ?? "", event.actorId, ...told]);
      columns.flush();
    });
  },
};

type Told = readonly [source: string, message: string];

/** How each type of event is told. A type that is not here is newer than this client. */
const tellers = {
  [SequenceEventSchema.typeName]: ({ sequence, action, error }: SequenceEvent): Told => [
    sequence,
    error === undefined ? (SequenceEvent_Action[action] ?? "") : `error: ${error.message}`,
  ],
  [PhaseEventSchema.typeName]: ({ phase, action }: PhaseEvent): Told => [phase, PhaseEvent_Action[action] ?? ""],
  [TaskEventSchema.typeName]: ({ task, action }: TaskEvent): Told => [task, TaskEvent_Action[action] ?? ""],
  [ServiceStateEventSchema.typeName]: ({ service, action, message }: ServiceStateEvent): Told => [
    service,
    `${ServiceStateEvent_Action[action] ?? ""}: ${message}`,
  ],
  [ConfigLoadErrorEventSchema.typeName]: ({ error }: ConfigLoadErrorEvent): Told => ["error", error],
  [ConfigValidationErrorEventSchema.typeName]: ({ error }: ConfigValidationErrorEvent): Told => ["error", error],
  [AddressEventSchema.typeName]: ({ hostname, addresses }: AddressEvent): Told => [
    hostname,
    `ADDRESSES: ${addresses.join(",")}`,
  ],
  [MachineStatusEventSchema.typeName]: ({ stage, status }: MachineStatusEvent): Told => [
    Stage[stage] ?? "",
    `ready: ${String(status?.ready ?? false)}, unmet conditions: [${(status?.unmetConditions ?? [])
      .map(({ name }) => name)
      .join(" ")}]`,
  ],
} as unknown as Readonly<Record<string, (payload: unknown) => Told>>;

const registry: Registry = createRegistry(
  SequenceEventSchema,
  PhaseEventSchema,
  TaskEventSchema,
  ServiceStateEventSchema,
  ConfigLoadErrorEventSchema,
  ConfigValidationErrorEventSchema,
  AddressEventSchema,
  MachineStatusEventSchema,
);

function describeEvent({ data }: Event): Told | undefined {
  if (data === undefined) return undefined;
  const typeName = data.typeUrl.slice(data.typeUrl.lastIndexOf("/") + 1);
  const payload = anyUnpack({ ...data, typeUrl: `type.googleapis.com/${typeName}` }, registry);
  return payload === undefined ? undefined : tellers[typeName]?.(payload);
}
