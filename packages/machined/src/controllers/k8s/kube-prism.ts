import { describeError, hostPort, type Clock } from "@talos-ts/base";
import { exclusive, kindOf, weak, type Controller, type ControllerContext } from "@talos-ts/cosi";
import { KubePrismConfig, KubePrismStatus, type KubePrismConfigSpec } from "@talos-ts/machinery/resources/k8s";
import { createTcpBalancer, type TcpBalancer, type Upstream } from "./internal/tcp-balancer.ts";
import { createUpstreamHealth, keyOf, probeApiServer, type Probe } from "./internal/upstream-health.ts";

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
      let turn = 0;
      let endpoints: readonly Upstream[] = [];
      let balancer: TcpBalancer | undefined;
      let listening = "";
      await using _end = {
        [Symbol.asyncDispose]: async () => {
          health.follow([]);
          await balancer?.[Symbol.asyncDispose]();
        },
      };
      const onChange = (): void => context.queueReconcile();
      const health = createUpstreamHealth({
        clock,
        signal: context.signal,
        probe,
        intervalMs,
        retryMs,
        timeoutMs,
        onChange,
      });

      /** Healthy upstreams in turn, then the others: a probe may be older than the server. */
      function candidates(): readonly Upstream[] {
        turn += 1;
        const healthy = endpoints.filter((upstream) => health.isHealthy(upstream));
        const others = endpoints.filter((upstream) => !health.isHealthy(upstream));
        const start = healthy.length === 0 ? 0 : turn % healthy.length;
        return [...healthy.slice(start), ...healthy.slice(0, start), ...others];
      }

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
        balancer = await createTcpBalancer({
          host,
          port: port,
          upstreams: candidates,
          onDialError(upstream, error) {
            context.logger.debug("connection to an API server failed", { error: describeError(error) });
            health.failed(upstream);
          },
        });
        listening = wanted;
        context.logger.info("KubePrism is enabled", { endpoint: wanted });
      }

      for await (const _event of context.events) {
        const config = (await context.find(KubePrismConfig, KubePrismConfig.id))?.spec;
        const known = new Set((config?.endpoints ?? []).map(keyOf));
        if (config !== undefined) await listen(config);
        else if (balancer !== undefined) {
          await close();
          context.logger.info("KubePrism is disabled");
        }
        endpoints = config?.endpoints ?? [];
        health.follow(endpoints);
        balancer?.drop((upstream) => known.has(keyOf(upstream)));
        await publish(context, config === undefined ? undefined : { host: listening, healthy: health.anyHealthy });
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
