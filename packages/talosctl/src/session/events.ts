import { createRegistry, toJson, type JsonValue, type Registry } from "@bufbuild/protobuf";
import { anyUnpack } from "@bufbuild/protobuf/wkt";
import {
  AddressEventSchema,
  ConfigLoadErrorEventSchema,
  ConfigValidationErrorEventSchema,
  MachineStatusEventSchema,
  PhaseEventSchema,
  SequenceEventSchema,
  ServiceStateEventSchema,
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

/** Describes what events tell, by the name of their type. */
export type EventPayload =
  | AddressEvent
  | ConfigLoadErrorEvent
  | ConfigValidationErrorEvent
  | MachineStatusEvent
  | PhaseEvent
  | SequenceEvent
  | ServiceStateEvent
  | TaskEvent;

const registry: Registry = createRegistry(
  AddressEventSchema,
  ConfigLoadErrorEventSchema,
  ConfigValidationErrorEventSchema,
  MachineStatusEventSchema,
  PhaseEventSchema,
  SequenceEventSchema,
  ServiceStateEventSchema,
  TaskEventSchema,
);

/** Returns what an event tells; `undefined` for the empty one that greets, and for a type that is newer than this client. */
export function unpackEvent({ data }: Event): EventPayload | undefined {
  if (data === undefined || data.typeUrl === "") return undefined;
  const typeName = data.typeUrl.slice(data.typeUrl.lastIndexOf("/") + 1);
  return anyUnpack({ ...data, typeUrl: `type.googleapis.com/${typeName}` }, registry) as EventPayload | undefined;
}

/** Returns what an event tells for programs: all fields, by the names of the API. */
export function eventJson(payload: EventPayload): JsonValue {
  const schema = registry.getMessage(payload.$typeName);
  return schema === undefined ? {} : toJson(schema, payload, { alwaysEmitImplicit: true });
}
