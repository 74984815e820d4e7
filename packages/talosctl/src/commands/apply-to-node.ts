import { durationFromMs } from "@bufbuild/protobuf/wkt";
import { describeError, formatGoDuration, OsError, systemClock, timeLimit } from "@talos-ts/base";
import { loadConfig, networkChanges, rebootPaths, type Config } from "@talos-ts/machinery/config";
import { ApplyConfigurationRequest_Mode as Mode, type ApplyConfiguration } from "@talos-ts/proto/machine/config";
import { MachineService } from "@talos-ts/proto/machine/machine";
import type { Invocation } from "../command.ts";
import { parseDuration } from "../output/go-duration.ts";
import { remoteCodeOf } from "../session/remote-code.ts";
import { openSession, type Session } from "../session/session.ts";
import { flag, textOption } from "../values.ts";
import { applyCallOptions, applyRequest } from "./apply-options.ts";

const defaultWindowMs = 120_000;
const attemptMs = 5000;
const pauseMs = 1000;
/** Code of a node that has gone back already. */
const trialOver = "config/trial-over";

export interface NodeChange {
  readonly node: string | undefined;
  /** The configuration of the node. */
  readonly before: string;
  readonly after: string;
}

type Answer = Pick<ApplyConfiguration, "warnings" | "modeDetails">;

/**
 * Sends a configuration to a node. A change of the network, or any with `--confirm`, is first on trial (mode `try`): it is applied
 * for good over a new connection, which shows that the node can still be reached. Otherwise the node goes back by itself.
 *
 * @throws {OsError} `config/not-confirmed` when the node could not be reached in time
 */
export async function applyToNode(
  session: Session,
  invocation: Invocation,
  change: NodeChange,
): Promise<readonly Answer[]> {
  const trial = trialOf(invocation, change);
  const request = applyRequest(invocation, change.after);
  const send = (
    to: Session,
    node: string | undefined,
    asked: typeof request,
    confirmation?: AbortSignal,
  ): Promise<readonly Answer[]> =>
    to.answers(
      "applying new configuration",
      to.one(MachineService, node).applyConfiguration(asked, {
        ...applyCallOptions(invocation, confirmation !== undefined),
        signal: confirmation ?? invocation.signal,
      }),
    );
  if (trial === undefined) return send(session, change.node, request);

  const name = change.node ?? session.defaultNode;
  const { windowMs } = trial;
  const window = formatGoDuration(BigInt(windowMs) * 1_000_000n);
  const startMs = systemClock.monotonic();
  const tried = await send(session, change.node, {
    ...request,
    mode: Mode.TRY,
    tryModeTimeout: durationFromMs(windowMs),
  });
  const what = trial.reasons.length === 0 ? "" : ` (${trial.reasons.join(", ")})`;
  invocation.io.err(
    `${name}: on trial${what}: kept once the node is reached again, reverted after ${window} otherwise\n`,
  );

  const settleMs = parseDuration(textOption(invocation, "confirmSettle") ?? "5s");
  await systemClock.sleep(settleMs, invocation.signal);
  let failure: unknown;
  do {
    try {
      // An attempt that outlives the window could reach the node after it went back, and lock it out for good.
      const leftMs = Math.max(1, Math.floor(windowMs - (systemClock.monotonic() - startMs)));
      const kept = await confirm(invocation, change.node, Math.min(attemptMs, leftMs), (to, node, signal) =>
        send(to, node, { ...request, mode: Mode.NO_REBOOT }, signal),
      );
      invocation.io.err(`${name}: reached over a new connection, the configuration is kept\n`);
      return kept.map(({ modeDetails }, index) => ({ modeDetails, warnings: tried[index]?.warnings ?? [] }));
    } catch (err) {
      invocation.signal.throwIfAborted();
      failure = err;
      if (remoteCodeOf(err) === trialOver) break;
    }
    await systemClock.sleep(Math.min(pauseMs, windowMs), invocation.signal);
  } while (systemClock.monotonic() - startMs < windowMs);
  throw notConfirmed(name, window, failure);
}

/** Reports whether `applyToNode` would put a change on trial. */
export function needsTrial(invocation: Invocation, change: NodeChange): boolean {
  return trialOf(invocation, change) !== undefined;
}

/** Reports whether an error says that a configuration was not confirmed in time. */
export function isNotConfirmed(err: unknown): boolean {
  return err instanceof OsError && err.code === "config/not-confirmed";
}

/** Time to wait for a confirmation and why, or `undefined` when none is needed. */
function trialOf(
  invocation: Invocation,
  { before, after }: NodeChange,
): { readonly windowMs: number; readonly reasons: readonly string[] } | undefined {
  const asked = textOption(invocation, "confirm");
  const mode = textOption(invocation, "mode") ?? "auto";
  if (flag(invocation, "dryRun")) return undefined;
  if (asked !== undefined) {
    const windowMs = parseDuration(asked);
    return windowMs <= 0 ? undefined : { windowMs, reasons: [] };
  }
  if (mode !== "auto" && mode !== "no-reboot") return undefined;
  const configs = parsed(before, after);
  // What is not a configuration is for the node to refuse; what needs a reboot cannot be tried.
  if (configs === undefined || rebootPaths(...configs).length > 0) return undefined;
  const reasons = networkChanges(...configs);
  return reasons.length === 0 ? undefined : { windowMs: defaultWindowMs, reasons };
}

function parsed(before: string, after: string): readonly [Config, Config] | undefined {
  try {
    return [loadConfig(before), loadConfig(after)];
  } catch {
    return undefined;
  }
}

/** Does something over new connections, of this client and of the endpoint that passes it on, to the address that the node has after the change. */
async function confirm<T>(
  invocation: Invocation,
  node: string | undefined,
  limitMs: number,
  work: (session: Session, node: string | undefined, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  using limit = timeLimit(limitMs, { clock: systemClock, signal: invocation.signal });
  const moved = textOption(invocation, "confirmNode");
  const global = { ...invocation.global, nodes: moved === undefined ? invocation.global.nodes : [moved] };
  await using session = await openSession({ ...invocation, global, signal: limit.signal }, { freshConnection: true });
  return await work(session, node === undefined ? undefined : (moved ?? node), limit.signal);
}

function notConfirmed(name: string, window: string, cause: unknown): OsError {
  return new OsError({
    kind: "unavailable",
    code: "config/not-confirmed",
    message: `${name} was not reached within ${window} after the change, and reverts to its previous configuration: ${describeError(cause)}`,
    cause,
    next: `talosctl --nodes ${name} config-history`,
  });
}
