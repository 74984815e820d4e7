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

/** Issues certificates when what they depend on changes, and again before they expire. */
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
      const due = issued === undefined || clock.now() - issued.atMs >= refreshMs;
      if (current === undefined || due || issued?.basis !== basis) {
        const atMs = clock.now();
        const spec = await plan.issue(current?.spec);
        await context.modify(output, output.id, () => spec);
        issued = { basis, atMs };
        context.logger.debug("generated new certificates");
      }
      if (Number.isFinite(refreshMs)) queueRefresh(context, (issued?.atMs ?? clock.now()) + refreshMs - clock.now());
    },
  });
}

function fingerprint(part: Resource | string): string {
  if (typeof part === "string") return part;
  const { type, id, version, created } = part.metadata;
  return `${type}/${id}@${String(version)}/${String(created)}`;
}
