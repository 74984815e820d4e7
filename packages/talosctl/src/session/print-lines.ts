import type { NodeMessage } from "@talos-ts/machinery/client";
import type { Invocation } from "../command.ts";
import { createLineSplitter } from "../output/line-splitter.ts";
import type { Session } from "./session.ts";
import { readStream } from "./stream.ts";

/**
 * Prints the lines of text streams, each with the node it is from: one write for each message, at the pace of whoever reads the
 * output, so that a slow reader holds up the nodes and not this process' memory.
 */
export async function printLines<M extends NodeMessage & { readonly bytes: Uint8Array }>(
  session: Session,
  { io, signal }: Invocation,
  stream: AsyncIterable<M>,
): Promise<void> {
  let text = "";
  const lines = createLineSplitter((node, line) => void (text += `${node}: ${line}\n`));
  const write = async (): Promise<void> => {
    if (text !== "") io.out(text);
    text = "";
    await io.drained?.(signal);
  };
  try {
    await readStream(session, stream, signal, async (message, node) => {
      lines.add(node, message.bytes);
      await write();
    });
  } finally {
    lines.flush();
    await write();
  }
}
