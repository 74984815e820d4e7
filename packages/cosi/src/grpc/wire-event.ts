import type { MessageInitShape } from "@bufbuild/protobuf";
import { OsError } from "@talos-ts/base";
import { EventType, type Event as WireEvent, type EventSchema } from "@talos-ts/proto/cosi/resource";
import { stateError } from "../errors.ts";
import type { Kind } from "../resource.ts";
import type { Event } from "../state.ts";
import { tombstone } from "../state/tombstone.ts";
import { decodeMetadata, type WireCodec } from "./wire-resource.ts";

const eventTypes: Readonly<Record<Event["type"], EventType>> = {
  created: EventType.CREATED,
  updated: EventType.UPDATED,
  destroyed: EventType.DESTROYED,
  bootstrapped: EventType.BOOTSTRAPPED,
  noop: EventType.NOOP,
};

type WireEventInit = MessageInitShape<typeof EventSchema>;

export function encodeEvent(codec: WireCodec, kind: Kind, event: Event): WireEventInit {
  return {
    eventType: eventTypes[event.type],
    // Clients read the kind from every event, also from those that are about no resource.
    resource: codec.encode(event.resource ?? tombstone({ ...kind, id: "" })),
    ...(event.type === "updated" && { old: codec.encode(event.old) }),
    ...(event.bookmark !== undefined && { bookmark: event.bookmark }),
  };
}

/** Returns what a watch says last when it fails. */
export function encodeFailure(error: unknown): WireEventInit {
  return { eventType: EventType.ERRORED, error: OsError.from(error).message };
}

/**
 * @throws {OsError} when the event says that the watch has failed
 */
export function decodeEvent(codec: WireCodec, kind: Kind, message: WireEvent): Event {
  const { eventType, bookmark } = message;
  switch (eventType) {
    case EventType.CREATED:
      return { type: "created", resource: codec.decode(message.resource), bookmark };
    case EventType.UPDATED:
      return { type: "updated", resource: codec.decode(message.resource), old: codec.decode(message.old), bookmark };
    case EventType.DESTROYED: {
      const metadata = message.resource?.metadata;
      const missing = metadata !== undefined && decodeMetadata(metadata).version === 0;
      return { type: "destroyed", resource: missing ? tombstone(metadata) : codec.decode(message.resource), bookmark };
    }
    case EventType.BOOTSTRAPPED:
      return { type: "bootstrapped", bookmark: bookmark ?? new Uint8Array() };
    case EventType.NOOP:
      return { type: "noop", bookmark: bookmark ?? new Uint8Array() };
    case EventType.ERRORED:
    default:
      throw watchFailure(kind, message.error ?? "");
  }
}

/** Only the text crosses the wire, so the one failure that callers act on is told by it. */
function watchFailure(kind: Kind, text: string): OsError {
  const message = `namespace ${JSON.stringify(kind.namespace)} type ${JSON.stringify(kind.type)}: ${text}`;
  if (text.startsWith("buffer overrun")) {
    return stateError("overrun", kind, text, new OsError({ kind: "resource-exhausted", message: text }));
  }
  return new OsError({ kind: "unknown", code: "cosi/watch-failed", message, details: { ...kind } });
}
