import type { ConnectionOptions } from "../connection-contract.ts";
import { Http2Connection } from "../connection.ts";
import { frameTypes, preface } from "../constants.ts";
import type { Field } from "../field.ts";
import type { Http2Stream, StreamSink } from "../stream.ts";
import { parseFrames, settings, type ParsedFrame } from "./frames.ts";

/** Events that a connection told its user, in order; adjacent data of a stream is one entry. */
export type Events = readonly string[];

export interface Recorder {
  readonly connection: Http2Connection;
  readonly events: string[];
  readonly streams: Http2Stream[];
  readonly error: Error | undefined;
  /** Frames written since the last call. */
  sent(): ParsedFrame[];
}

/** A sink that writes down what it gets. */
export function recordingSink(events: string[], name: string): StreamSink {
  const note = (text: string): void => void events.push(`${name} ${text}`);
  return {
    headers: (fields) => note(`headers ${text(fields)}`),
    data(chunk) {
      const last = events.at(-1);
      const prefix = `${name} data `;
      if (last?.startsWith(prefix) === true) events[events.length - 1] = last + chunk.toString("hex");
      else note(`data ${chunk.toString("hex")}`);
    },
    trailers: (fields) => note(`trailers ${text(fields)}`),
    end: () => note("end"),
    drain: () => note("drain"),
    close: (code) => note(`close ${String(code)}`),
  };
}

export interface RecordOptions extends Partial<ConnectionOptions> {
  /** Requests are left paused. */
  readonly paused?: boolean;
  /** Gets `output` and `ack` whenever the connection asks for a write. */
  readonly told?: string[];
}

/** A connection without a socket whose events are recorded; requests are resumed unless `paused`. */
export function record(options: RecordOptions = {}): Recorder {
  const events: string[] = [];
  const streams: Http2Stream[] = [];
  let error: Error | undefined;
  const connection = new Http2Connection(
    { role: "server", ...options },
    {
      output: () => void options.told?.push("output"),
      ack: () => void options.told?.push("ack"),
      request(stream, fields) {
        streams.push(stream);
        events.push(`${String(stream.id)} request ${text(fields)}`);
        stream.sink = recordingSink(events, String(stream.id));
        if (options.paused !== true) stream.resume();
      },
      ready: () => void events.push("ready"),
      goaway: (code) => void events.push(`goaway ${String(code)}`),
      end(reason) {
        error = reason;
        events.push("over");
      },
    },
  );
  return {
    connection,
    events,
    streams,
    get error() {
      return error;
    },
    sent: () => parseFrames(Buffer.concat(connection.takeOutput())),
  };
}

/** A server that has had the preface and SETTINGS of a client, and whose greeting was read. */
export function greetedServer(options: RecordOptions = {}): Recorder {
  const recorder = record(options);
  recorder.connection.receive(Buffer.concat([preface, settings]));
  recorder.sent();
  recorder.events.length = 0;
  if (options.told !== undefined) options.told.length = 0;
  return recorder;
}

/** The code of the GOAWAY that ended the connection. */
export function goawayCode(recorder: Recorder): number | undefined {
  const last = recorder.sent().findLast(({ type }) => type === frameTypes.goaway);
  return last?.payload.readUInt32BE(4);
}

function text(fields: readonly Field[]): string {
  return fields.map(({ name, value }) => `${name}=${value}`).join(" ");
}
