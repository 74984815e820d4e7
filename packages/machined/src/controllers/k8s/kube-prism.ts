import { describeError, hostPort, type Clock } from "@talos-ts/base";
import { exclusive, kindOf, weak, type Controller, type ControllerContext } from "@talos-ts/cosi";
import { createBalancer, type Balancer, type Probe } from "@talos-ts/host/balancer";
import { probeApiServer } from "@talos-ts/kubernetes";
import { KubePrismConfig, KubePrismStatus, type KubePrismConfigSpec } from "@talos-ts/machinery/resources/k8s";

const intervalMs = 20_000;
const timeoutMs = 15_000;
const retryMs = 1000;

export interface KubePrismOptions {
  readonly clock: Clock;
  /** Default: asks `/readyz` over TLS. */
  readonly probe?: Probe;
}

/**
 * Balances connections to `127.0.0.1:7445` over the API servers, inside the machine: kubelet and control plane reach Kubernetes
 * without the cluster endpoint. It listens before any API server is up, and then tries all upstreams for each connection.
 */
export function kubePrismController({ clock, probe = probeApiServer }: KubePrismOptions): Controller {
  return {
    name: "k8s.KubePrismController",
    inputs: [weak(KubePrismConfig, { id: KubePrismConfig.id })],
    outputs: [exclusive(KubePrismStatus)],
    async run(context) {
      let balancer: Balancer | undefined;
      let listening = "";
      await using _end = { [Symbol.asyncDispose]: async () => balancer?.[Symbol.asyncDispose]() };

      async function close(): Promise<void> {
        const closing = balancer;
        balancer = undefined;
        listening = "";
        await closing?.[Symbol.asyncDispose]();
      }

      async function listen({ host, port }: KubePrismConfigSpec): Promise<void> {
        const wanted = hostPort(host, port);
        if (wanted === listening) return;
        await close();
        balancer = await createBalancer({
          host,
          port,
          clock,
          probe,
          intervalMs,
          retryMs,
          timeoutMs,
          onChange: () => context.queueReconcile(),
          onDialError: (_upstream, error) =>
            context.logger.debug("connection to an API server failed", { error: describeError(error) }),
        });
        listening = wanted;
        context.logger.info("KubePrism is enabled", { endpoint: wanted });
      }

      for await (const _event of context.events) {
        const config = (await context.find(KubePrismConfig, KubePrismConfig.id))?.spec;
        if (config !== undefined) await listen(config);
        else if (balancer !== undefined) {
          await close();
          context.logger.info("KubePrism is disabled");
        }
        balancer?.follow(config?.endpoints ?? []);
        const healthy = balancer?.anyHealthy ?? false;
        await publish(context, config === undefined ? undefined : { host: listening, healthy });
        context.resetRestartBackoff();
      }
    },
  };
}

async function publish(
  context: ControllerContext,
  status: { readonly host: string; readonly healthy: boolean } | undefined,
): Promise<void> {
  context.startTrackingOutputs();
  if (status !== undefined) await context.put(KubePrismStatus, KubePrismStatus.id, () => KubePrismStatus.spec(status));
  await context.cleanupOutputs(kindOf(KubePrismStatus));
}
