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
 * in order of arrival; messages of streams go out as they come.
 */
export async function forwardMany(call: RawServerCall, leases: readonly Lease[], metadata: Metadata): Promise<void> {
  const { path } = call.method;
  const options = {
    metadata,
    signal: call.signal,
    ...(call.deadlineMs !== undefined && { timeoutMs: Math.max(1, call.deadlineMs - Date.now()) }),
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

/** Gives every request to every node that still listens, at the pace of the slowest. */
async function broadcast(call: RawServerCall, nodes: readonly NodeCall[]): Promise<void> {
  try {
    for await (const request of call.requests) {
      // A node that is over says why in its status.
      await Promise.allSettled(nodes.map(({ upstream }) => upstream.send(request)));
    }
  } catch {
    // The caller went away or sent nonsense; the server has its status, the nodes hear of it by the signal.
  }
  for (const { upstream } of nodes) upstream.closeSend();
}

async function join(call: RawServerCall, nodes: readonly NodeCall[]): Promise<void> {
  const replies: Uint8Array[] = [];
  await Promise.all(
    nodes.map(async ({ target, upstream }) => {
      try {
        for await (const reply of upstream.responses) replies.push(markReply(reply, target));
      } catch (err) {
        replies.push(errorReply(OsError.from(err), target, false));
      }
    }),
  );
  await call.send(Buffer.concat(replies));
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
