import { Http2Connection } from "../connection.ts";
import { fieldsOf } from "../field.ts";
import type { Http2Limits } from "../limits.ts";
import type { Http2Stream } from "../stream.ts";
import { requestFields } from "./frames.ts";
import { record, recordingSink, type Recorder } from "./recorder.ts";

/** A client and a server that are connected by nothing but their bytes. */
export interface Connected {
  readonly client: Http2Connection;
  readonly server: Recorder;
  /** Events that the client was told, in order. */
  readonly events: string[];
  /** Moves bytes until neither side has more to say. */
  readonly exchange: () => void;
  /** Starts a request whose events have this name. */
  readonly call: (name: string, endStream?: boolean) => Http2Stream;
}

export function connected(serverLimits: Partial<Http2Limits> = {}, clientLimits: Partial<Http2Limits> = {}): Connected {
  const events: string[] = [];
  const server = record({ limits: serverLimits });
  const client = new Http2Connection(
    { role: "client", limits: clientLimits },
    {
      output() {},
      goaway: (code) => void events.push(`goaway ${String(code)}`),
      end: () => void events.push("over"),
    },
  );
  return {
    client,
    server,
    events,
    exchange() {
      for (let quiet = false; !quiet;) {
        quiet = true;
        for (const [from, to] of [
          [client, server.connection],
          [server.connection, client],
        ] as const) {
          for (const chunk of from.takeOutput()) {
            quiet = false;
            to.receive(chunk);
          }
        }
      }
    },
    call: (name, endStream = false) =>
      client.request(fieldsOf(...requestFields), recordingSink(events, name), endStream),
  };
}
