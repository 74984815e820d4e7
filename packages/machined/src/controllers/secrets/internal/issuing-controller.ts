import type { Clock } from "@talos-ts/base";
import {
  exclusive,
  kindOf,
  reconcileController,
  type Controller,
  type ControllerContext,
  type Input,
  type Resource,
  type ResourceType,
} from "@talos-ts/cosi";
import { queueRefresh } from "../../internal/queue-refresh.ts";

/** Describes how to issue, and from what: while the basis stays the same, so does what was issued. */
export interface IssuePlan<S> {
  /** Resources (by version) and facts that the certificates depend on. */
  readonly basis: readonly (Resource | string)[];
  issue(current: S | undefined): Promise<S>;
}

export interface IssuingControllerOptions<S> {
  readonly name: string;
  readonly inputs: readonly Input[];
  readonly output: ResourceType<S> & { readonly id: string };
  readonly clock: Clock;
  /** After how long to issue again. @default never */
  readonly refreshMs?: number;
  /** `none` takes certificates back; `undefined` means that it is too early to tell and leaves them. */
  plan(context: ControllerContext): Promise<IssuePlan<S> | "none" | undefined>;
}

/** Looks at the clock so often until a refresh, every 5 minutes of 12 hours: it may be set while a timer runs, which does not notice. */
const clockChecks = 144;

/**
 * Issues certificates when what they depend on changes, again before they expire, and again when the clock was set: forward past
 * the time of the refresh, or back behind the moment when they became valid.
 */
export function issuingController<S>(options: IssuingControllerOptions<S>): Controller {
  const { name, inputs, output, clock, refreshMs = Number.POSITIVE_INFINITY } = options;
  let issued: { readonly basis: string; readonly atMs: number } | undefined;

  return reconcileController({
    name,
    inputs,
    outputs: [exclusive(output)],
    async reconcile(context) {
      const plan = await options.plan(context);
      if (plan === undefined) return;
      if (plan === "none") {
        issued = undefined;
        context.startTrackingOutputs();
        await context.cleanupOutputs(kindOf(output));
        return;
      }
      const basis = plan.basis.map(fingerprint).join();
      const current = await context.find(output, output.id);
      const ageMs = clock.now() - (issued?.atMs ?? 0);
      const due = issued === undefined || ageMs >= refreshMs || ageMs < 0;
      if (current === undefined || due || issued?.basis !== basis) {
        const atMs = clock.now();
        const spec = await plan.issue(current?.spec);
        await context.modify(output, output.id, () => spec);
        issued = { basis, atMs };
        context.logger.debug("generated new certificates");
      }
      const leftMs = (issued?.atMs ?? clock.now()) + refreshMs - clock.now();
      if (Number.isFinite(refreshMs)) queueRefresh(context, Math.min(leftMs, refreshMs / clockChecks));
    },
  });
}

function fingerprint(part: Resource | string): string {
  if (typeof part === "string") return part;
  const { type, id, version, created } = part.metadata;
  return `${type}/${id}@${String(version)}/${String(created)}`;
}
