import { describeError, OsError, systemClock, type ErrorKind } from "@talos-ts/base";
import { MachineStatusEvent_MachineStage as Stage, PhaseEvent_Action } from "@talos-ts/proto/machine/event";
import { connectApi, insecureTls } from "@talos-ts/machinery/client";
import { MachineService } from "@talos-ts/proto/machine/machine";
import type { Invocation, OptionDefinition } from "../command.ts";
import { parseDuration } from "../output/go-duration.ts";
import { flag, textOption } from "../values.ts";
import { unpackEvent } from "./events.ts";
import { showKernelLog } from "./kernel-log.ts";
import type { Session } from "./session.ts";

/** Flags of every command after which a machine goes away. */
export const trackOptions: readonly OptionDefinition[] = [
  { flags: "--wait", description: "follow the machine until it is done (--wait=false returns at once)", default: true },
  { flags: "--timeout <duration>", description: "how long to follow it", default: "30m" },
  { flags: "--debug", description: "show the kernel log of the machine meanwhile; implies --wait" },
];

export interface TrackedAction {
  /** As in `error executing reboot`. */
  readonly name: string;
  /** Asks all nodes; the answers name who the events of the action are from. */
  readonly start: () => Promise<readonly Started[]>;
  /**
   * - `down`: done when the machine is off: its API ends first, while it still wipes disks.
   * - `ready`: done when it answers again, and is ready.
   * - `back`: done when it answers again, with a configuration or in maintenance mode.
   */
  readonly until: "down" | "ready" | "back";
  /** Follows the machine whatever the flags say. @default {false} */
  readonly wait?: boolean;
  /** Shows what a machine is at. @default one line of output for each step */
  readonly tell?: (node: string, text: string) => void;
}

interface Started {
  readonly actorId: string;
  readonly metadata?: Parameters<Session["nodeOf"]>[0]["metadata"];
}

/** State in which a machine was seen last: `back` with a configuration, `maintenance` without one. */
export type TrackedEnd = "down" | "ready" | "back" | "maintenance";

/**
 * Asks the nodes to do something that ends with them going away, and tells how it goes.
 *
 * @returns how each of them ended; nothing when it does not wait for them
 */
export async function trackAction(
  session: Session,
  invocation: Invocation,
  action: TrackedAction,
): Promise<readonly TrackedEnd[]> {
  const started = await action.start();
  if (!flag(invocation, "wait") && !flag(invocation, "debug") && action.wait !== true) return [];
  const timeout = textOption(invocation, "timeout") ?? "30m";
  const signal = AbortSignal.any([invocation.signal, AbortSignal.timeout(parseDuration(timeout))]);
  const tell = action.tell ?? ((node, text) => invocation.io.err(`${node}: ${text}\n`));
  await using _log = flag(invocation, "debug") ? showKernelLog(session, invocation.io, signal) : undefined;
  const results = await Promise.allSettled(
    started.map((answer) => {
      const node = session.nodeOf(answer);
      return followNode(session, node, answer.actorId, action, (text) => tell(node, text), signal);
    }),
  );
  invocation.signal.throwIfAborted();
  if (signal.aborted) throw late(action.name, timeout);
  return results.map((result) => {
    if (result.status === "rejected") throw result.reason;
    return result.value;
  });
}

async function followNode(
  session: Session,
  node: string,
  actorId: string,
  action: TrackedAction,
  tell: (text: string) => void,
  signal: AbortSignal,
): Promise<TrackedEnd> {
  const target = session.nodes.length === 0 ? undefined : node;
  const lastId = await untilDown(session, target, actorId, tell, signal);
  if (action.until === "down") await untilOff(session, target, tell, signal);
  tell("is down");
  if (action.until === "down") return "down";
  if (action.until === "back") {
    const end = await untilBack(session, target, signal);
    tell(end === "back" ? "is back" : "is back, in maintenance mode");
    return end;
  }
  await untilReady(session, target, lastId, signal);
  tell("is ready");
  return "ready";
}

/** Tells the phases of the action until the machine no longer answers. @returns the id of the last event. */
async function untilDown(
  session: Session,
  node: string | undefined,
  actorId: string,
  tell: (text: string) => void,
  signal: AbortSignal,
): Promise<string> {
  const client = session.one(MachineService, node);
  let lastId = "";
  try {
    for await (const event of client.events({ tailEvents: -1, withActorId: actorId }, { signal })) {
      lastId = event.id;
      const told = unpackEvent(event);
      if (told?.$typeName === "machine.SequenceEvent" && told.error !== undefined) {
        throw new OsError({ kind: "aborted", code: "cli/sequence-failed", message: told.error.message });
      }
      if (told?.$typeName === "machine.PhaseEvent" && told.action === PhaseEvent_Action.START)
        tell(`phase ${told.phase}`);
    }
  } catch (err) {
    const { kind, code } = OsError.from(err);
    if (signal.aborted || final.has(kind) || code === "cli/sequence-failed") throw err;
  }
  return lastId;
}

/**
 * Waits until a machine whose API has ended is off. A kernel that runs refuses connections; one that does not leaves them without an
 * answer. Gives up after two minutes: something else may have taken the address.
 */
async function untilOff(
  session: Session,
  node: string | undefined,
  tell: (text: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const client = session.one(MachineService, node);
  for (let waitedMs = 0; waitedMs < offMs; waitedMs += retryMs) {
    const answer = await client.version({}, { signal, timeoutMs: answerMs }).then(
      () => "",
      (err: unknown) => describeError(err),
    );
    signal.throwIfAborted();
    if (!answer.includes("ECONNREFUSED")) return;
    if (waitedMs === 0) tell("has stopped its API");
    await systemClock.sleep(retryMs, signal);
  }
}

/** Waits for an event of readiness after the machine went down: ids grow with time, also from one boot to the next. */
async function untilReady(
  session: Session,
  node: string | undefined,
  lastId: string,
  signal: AbortSignal,
): Promise<void> {
  const client = session.one(MachineService, node);
  const request = lastId === "" ? { tailEvents: -1 } : { tailId: lastId };
  for (;;) {
    try {
      for await (const event of client.events(request, { signal })) {
        const told = unpackEvent(event);
        if (told?.$typeName !== "machine.MachineStatusEvent") continue;
        if (told.stage === Stage.RUNNING && told.status?.ready === true) return;
      }
    } catch (err) {
      if (signal.aborted || final.has(OsError.from(err).kind)) throw err;
    }
    await systemClock.sleep(retryMs, signal);
  }
}

/**
 * Waits for a machine that was erased. One that got a configuration again knows the caller; one in maintenance mode takes no
 * certificate and is asked directly.
 */
async function untilBack(
  session: Session,
  node: string | undefined,
  signal: AbortSignal,
): Promise<"back" | "maintenance"> {
  const known = session.one(MachineService, node);
  const { proxy } = session.connection;
  const endpoints = [node ?? session.defaultNode];
  await using direct = connectApi({ endpoints, tls: insecureTls(), ...(proxy !== undefined && { proxy }) });
  const unknown = direct.service(MachineService);
  const options = { signal, timeoutMs: answerMs };
  for (;;) {
    const answered = (call: Promise<unknown>): Promise<boolean> =>
      call.then(
        () => true,
        () => false,
      );
    if (await answered(known.version({}, options))) return "back";
    if (await answered(unknown.version({}, options))) return "maintenance";
    await systemClock.sleep(retryMs, signal);
  }
}

/** Upper bound of one attempt to reach a machine that may still be down. */
const answerMs = 5000;
const retryMs = 1000;
/** Longest time between the end of the API and that of the machine. */
const offMs = 120_000;

/** Failures that are not those of a machine that goes away. */
const final: ReadonlySet<ErrorKind> = new Set([
  "permission-denied",
  "unauthenticated",
  "unimplemented",
  "invalid-argument",
]);

const late = (name: string, timeout: string): OsError =>
  new OsError({
    kind: "deadline-exceeded",
    code: "cli/not-finished",
    message: `error executing ${name}: not finished after ${timeout}`,
    next: "talosctl events --tail -1",
  });
