import { describeError } from "@talos-ts/base";
import type { ControllerContext } from "@talos-ts/cosi";
import type { OperatorSpecSpec } from "@talos-ts/machinery/resources/network";
import type { AddressMover } from "./address-mover.ts";

/** Longest wait for a provider to take an address back, in ms. */
const releaseMs = 10_000;

/** Ownership of an address that the API of a provider moves. */
export interface MovedOwnership {
  readonly onOwner: (owner: boolean) => void;
  /** Resolves when no request to the provider is under way. */
  settled(): Promise<void>;
}

/** Puts the API of a provider between the election and the address. @param refused Aborted when the API does not give the address. */
export function movedOwnership(
  context: Pick<ControllerContext, "logger">,
  mover: AddressMover,
  { linkName: link, vip: { ip } }: OperatorSpecSpec,
  setOwner: (owner: boolean) => void,
  refused: AbortController,
): MovedOwnership {
  let requests = Promise.resolve();
  let leading: AbortController | undefined;
  const warn = (message: string) => (err: unknown) =>
    context.logger.warn(message, { link, ip, error: describeError(err) });

  async function take(lead: AbortController): Promise<void> {
    try {
      await mover.acquire(lead.signal);
      if (!lead.signal.aborted) setOwner(true);
    } catch (err) {
      if (lead.signal.aborted) return;
      warn("error acquiring shared IP")(err);
      refused.abort();
    }
  }
  return {
    onOwner(owner) {
      leading?.abort();
      leading = owner ? new AbortController() : undefined;
      const lead = leading;
      if (lead !== undefined) {
        requests = requests.then(() => take(lead));
        return;
      }
      setOwner(false);
      const limit = AbortSignal.timeout(releaseMs);
      requests = requests.then(() => mover.release(limit)).catch(warn("error releasing shared IP"));
    },
    settled: () => requests,
  };
}
