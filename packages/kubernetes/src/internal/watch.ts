import type { IncomingMessage } from "node:http";
import { isRecord, OsError } from "@talos-ts/base";
import { statusError } from "../errors.ts";
import type { KubernetesObject, WatchEvent, WatchEventType } from "../object.ts";
import { lines } from "./lines.ts";

const eventTypes: ReadonlySet<string> = new Set<WatchEventType>(["ADDED", "MODIFIED", "DELETED", "BOOKMARK"]);

/** Events of an open watch. An `ERROR` event (such as 410 Gone) is thrown; the end of the stream ends the iteration. */
export async function* watchEvents<T extends KubernetesObject>(
  response: IncomingMessage,
  request: string,
  maxBytes: number,
): AsyncGenerator<WatchEvent<T>> {
  try {
    for await (const line of lines(response as AsyncIterable<Buffer>, maxBytes)) {
      if (line.trim() === "") continue;
      const event: unknown = JSON.parse(line);
      if (!isRecord(event)) continue;
      const { type, object } = event;
      if (type === "ERROR") throw statusError(request, codeOf(object), object);
      if (typeof type !== "string" || !eventTypes.has(type) || !isRecord(object)) {
        throw new OsError({
          kind: "internal",
          code: "kubernetes/bad-event",
          message: `${request}: unexpected watch event type ${JSON.stringify(type)}`,
        });
      }
      yield { type: type as WatchEventType, object: object as T };
    }
  } finally {
    response.destroy();
  }
}

function codeOf(status: unknown): number {
  return isRecord(status) && typeof status["code"] === "number" ? status["code"] : 500;
}
