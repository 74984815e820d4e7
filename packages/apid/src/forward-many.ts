import { OsError } from "@talos-ts/base";
import { openRawCall, type Metadata, type RawClientCall, type RawServerCall } from "@talos-ts/grpc";
import type { Lease } from "./backends.ts";
import { isStreaming } from "./fan-out.ts";
import { errorReply, markMessage, markReply } from "./node-metadata.ts";

interface NodeCall {
  readonly target: string;
  readonly upstream: RawClientCall;
}

/**
 * Sends one call to several nodes and their answers back as one.
 *
 * A node that fails is part of the answer, so the call itself succeeds. Replies of unary methods are joined into one list
 * in the order in which the caller named the nodes; messages of streams go out as they come.
 */
export async function forwardMany(call: RawServerCall, leases: readonly Lease[], metadata: Metadata): Promise<void> {
  const { path } = call.method;
  const options = {
    metadata,
    signal: call.signal,
    ...(call.deadlineMs !== undefined && { timeoutMs: timeForNodes(call.deadlineMs - Date.now()) }),
  };
  const nodes = leases.map(({ target, channel }) => ({ target, upstream: openRawCall(channel, path, options) }));
  try {
    const sent = broadcast(call, nodes);
    if (isStreaming(path)) await Promise.all(nodes.map((node) => passOn(call, node)));
    else await join(call, nodes);
    await Promise.race([sent, call.requests.return?.()]);
  } finally {
    for (const { upstream } of nodes) upstream.cancel();
  }
}

/** Part of the caller's time that is kept to answer with what other nodes said, and its bound in ms. */
const reserve = { share: 0.1, maxMs: 500 } as const;

function timeForNodes(leftMs: number): number {
  return Math.max(1, leftMs - Math.min(reserve.maxMs, leftMs * reserve.share));
}

/**
 * Gives every request to every node that still listens. Each node takes a request in its own time; the one after it is read when all
 * have, so that at most one waits for the slowest.
 */
async function broadcast(call: RawServerCall, nodes: readonly NodeCall[]): Promise<void> {
  let sending = nodes.map((node) => ({ node, sent: Promise.resolve() }));
  try {
    for await (const request of call.requests) {
      await Promise.all(sending.map(({ sent }) => sent));
      // A node that is over says why in its status.
      sending = nodes.map((node) => ({ node, sent: node.upstream.send(request).catch(() => undefined) }));
    }
  } catch {
    // The caller went away or sent nonsense; the server has its status, the nodes hear of it by the signal.
  }
  await Promise.all(sending.map(({ node, sent }) => sent.then(() => node.upstream.closeSend())));
}

async function join(call: RawServerCall, nodes: readonly NodeCall[]): Promise<void> {
  const replies = await Promise.all(
    nodes.map(async ({ target, upstream }) => {
      const own: Uint8Array[] = [];
      try {
        for await (const reply of upstream.responses) own.push(markReply(reply, target));
      } catch (err) {
        own.push(errorReply(OsError.from(err), target, false));
      }
      return own;
    }),
  );
  await call.send(Buffer.concat(replies.flat()));
}

async function passOn(call: RawServerCall, { target, upstream }: NodeCall): Promise<void> {
  for (;;) {
    const next = await upstream.responses.next().catch((err: unknown) => OsError.from(err));
    if (next instanceof OsError) {
      await call.send(errorReply(next, target, true));
      return;
    }
    if (next.done === true) return;
    await call.send(markMessage(next.value, target));
  }
}
