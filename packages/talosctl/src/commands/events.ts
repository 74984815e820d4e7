import {
  MachineStatusEvent_MachineStage as Stage,
  PhaseEvent_Action,
  SequenceEvent_Action,
  ServiceStateEvent_Action,
  TaskEvent_Action,
} from "@talos-ts/proto/machine/event";
import { MachineService } from "@talos-ts/proto/machine/machine";
import type { CommandDefinition, Invocation } from "../command.ts";
import { createColumns } from "../output/columns.ts";
import { parseDuration } from "../output/go-duration.ts";
import { recordFormatOption, wantsTable } from "../output/records.ts";
import { createRecordStream } from "../output/record-stream.ts";
import { eventJson, unpackEvent, type EventPayload } from "../session/events.ts";
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
    recordFormatOption,
  ],
  examples: ["talosctl events --tail -1", "talosctl events --duration 10m", "talosctl events -o json"],
  async run(invocation) {
    const { signal } = invocation;
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
    const show = await writerOf(invocation);
    await readStream(session, stream, signal, async (event, node) => {
      const payload = unpackEvent(event);
      if (payload === undefined) return;
      show({ node, id: event.id, type: event.data?.typeUrl ?? "", actor: event.actorId, payload });
      await invocation.io.drained?.(signal);
    });
  },
};

interface EventRecord {
  readonly node: string;
  readonly id: string;
  readonly type: string;
  readonly actor: string;
  readonly payload: EventPayload;
}

async function writerOf(invocation: Invocation): Promise<(record: EventRecord) => void> {
  if (!wantsTable(invocation)) {
    const write = await createRecordStream(invocation);
    return (record) => write({ ...record, payload: eventJson(record.payload) });
  }
  const columns = createColumns((text) => invocation.io.out(text));
  columns.add(["NODE", "ID", "EVENT", "ACTOR", "SOURCE", "MESSAGE"]);
  return ({ node, id, type, actor, payload }) => {
    columns.add([node, id, type, actor, ...describeEvent(payload)]);
    columns.flush();
  };
}

type Told = readonly [source: string, message: string];

function describeEvent(payload: EventPayload): Told {
  switch (payload.$typeName) {
    case "machine.SequenceEvent":
      return [
        payload.sequence,
        payload.error === undefined ? (SequenceEvent_Action[payload.action] ?? "") : `error: ${payload.error.message}`,
      ];
    case "machine.PhaseEvent":
      return [payload.phase, PhaseEvent_Action[payload.action] ?? ""];
    case "machine.TaskEvent":
      return [payload.task, TaskEvent_Action[payload.action] ?? ""];
    case "machine.ServiceStateEvent":
      return [payload.service, `${ServiceStateEvent_Action[payload.action] ?? ""}: ${payload.message}`];
    case "machine.ConfigLoadErrorEvent":
    case "machine.ConfigValidationErrorEvent":
      return ["error", payload.error];
    case "machine.AddressEvent":
      return [payload.hostname, `ADDRESSES: ${payload.addresses.join(",")}`];
    case "machine.MachineStatusEvent": {
      const unmet = (payload.status?.unmetConditions ?? []).map(({ name }) => name);
      const ready = String(payload.status?.ready ?? false);
      return [Stage[payload.stage] ?? "", `ready: ${ready}, unmet conditions: [${unmet.join(" ")}]`];
    }
    default:
      return payload satisfies never;
  }
}
