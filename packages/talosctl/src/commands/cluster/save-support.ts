import { OsError } from "@talos-ts/base";
import { findContext, type ClusterPlan } from "@talos-ts/provision";
import type { Invocation } from "../../command.ts";
import { contextOptions } from "./cluster-options.ts";

/** Files collected at once from each node, as `support` has it. */
const workers = 2;

/** Writes a support bundle of all nodes of a local cluster, with the credentials of its context. */
export async function saveSupport(invocation: Invocation, plan: ClusterPlan, output: string): Promise<void> {
  const options = contextOptions(invocation);
  const context = await findContext(plan, options);
  if (context === undefined) {
    throw new OsError({
      kind: "not-found",
      code: "cluster/no-context",
      message: `no context of the client configuration leads to cluster ${JSON.stringify(plan.name)}`,
      next: "talosctl config contexts",
    });
  }
  // Both are large, and only this needs them.
  const [{ openSession }, { writeBundle }] = await Promise.all([
    import("../../session/session.ts"),
    import("../../support/write-bundle.ts"),
  ]);
  const nodes = plan.nodes.map(({ address }) => address);
  const global = { ...invocation.global, talosconfig: options.path, context, endpoints: [], nodes, on: [] };
  const whole = { ...invocation, global };
  await using session = await openSession(whole, { renew: false });
  await writeBundle(session, whole, { output, name: plan.name, workers });
}
