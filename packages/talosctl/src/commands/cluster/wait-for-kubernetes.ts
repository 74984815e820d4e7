import { connectApi, contextTls } from "@talos-ts/machinery/client";
import { contextCredentials, openTalosconfig, resolveContext } from "@talos-ts/machinery/talosconfig";
import { findContext, type ClusterPlan } from "@talos-ts/provision";
import type { Invocation } from "../../command.ts";
import { waitForHealth } from "./bring-up-kubernetes.ts";
import { contextOptions } from "./cluster-options.ts";
import { apiDeadline } from "./wait-for-api.ts";

/** Waits until a cluster that was started again is healthy; without a context that leads to it, nothing can be asked. */
export async function waitForKubernetes(invocation: Invocation, plan: ClusterPlan): Promise<void> {
  const options = contextOptions(invocation);
  const name = await findContext(plan, options);
  if (name === undefined) return;
  const { config } = await openTalosconfig(options.path, options.environment);
  const context = resolveContext(config, name);
  await using connection = connectApi({
    endpoints: context.endpoints,
    tls: contextTls(contextCredentials(context, name)),
  });
  await waitForHealth(connection, plan, (line) => invocation.io.err(`${line}\n`), apiDeadline(invocation));
}
