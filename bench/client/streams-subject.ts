/**
 * A node that has a long log and a large archive ready, so that only gateway and client work while they are read.
 *
 * usage: streams-subject.ts <options as JSON>
 */
import { readFileSync } from "node:fs";
import { createServer } from "@talos-ts/grpc";

interface Options {
  readonly socket: string;
  /** File with the log. */
  readonly log: string;
  /** File with the archive, compressed. */
  readonly archive: string;
}

/** Bytes of a message, as a node sends them. */
const messageBytes = 32 * 1024;

const { socket, log, archive } = JSON.parse(process.argv[2] ?? "") as Options;

/** Tag of `common.Data.bytes`: field 2, with a length. */
const bytesTag = 0x12;

/** Encodes a message `common.Data`, whose bytes are the field's length in groups of seven bits and the content. */
function dataMessage(content: Buffer): Buffer {
  const head = [bytesTag];
  let left = content.length;
  for (; left >= 0x80; left >>>= 7) head.push((left & 0x7f) | 0x80);
  return Buffer.concat([Buffer.from([...head, left]), content]);
}

function messagesOf(file: string): readonly Buffer[] {
  const bytes = readFileSync(file);
  return Array.from({ length: Math.ceil(bytes.length / messageBytes) }, (_, index) =>
    dataMessage(bytes.subarray(index * messageBytes, (index + 1) * messageBytes)),
  );
}

const answers: Readonly<Record<string, readonly Buffer[]>> = {
  "/machine.MachineService/Logs": messagesOf(log),
  "/machine.MachineService/Copy": messagesOf(archive),
};

const server = createServer().setFallback(async (call) => {
  for await (const _ of call.requests);
  for (const message of answers[call.method.path] ?? []) await call.send(message);
});
console.log((await server.listen({ unix: socket })).address);
process.stdin.on("end", () => process.exit()).resume();
