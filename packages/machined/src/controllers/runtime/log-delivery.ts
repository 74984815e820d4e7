import type { Clock } from "@talos-ts/base";
import { equalSpecs, type Controller } from "@talos-ts/cosi";
import { followLogs } from "../../logs/delivery/follow-logs.ts";
import { startDelivery } from "../../logs/delivery/run-delivery.ts";
import type { LogStore } from "../../logs/log-store.ts";
import { activeConfig, activeConfigInput } from "../internal/config-resource.ts";

interface Destination {
  readonly receiver: string;
  readonly tags: Readonly<Record<string, string>>;
}

/** Sends the logs of services, and of machined itself, to the receivers of `machine.logging`. */
export function logDeliveryController(machine: { readonly logs: LogStore; readonly clock: Clock }): Controller {
  return {
    name: "runtime.LogDeliveryController",
    inputs: [activeConfigInput],
    outputs: [],
    async run(context) {
      const running = new Map<string, { readonly destination: Destination; readonly stop: () => void }>();
      const stop = (id: string): void => {
        running.get(id)?.stop();
        running.delete(id);
      };
      using _all = { [Symbol.dispose]: () => [...running.keys()].forEach(stop) };

      for await (const _event of context.events) {
        const { destinations = [] } = (await activeConfig(context))?.machine?.logging ?? {};
        const wanted = new Map<string, Destination>();
        for (const { endpoint = "", extraTags = {} } of destinations)
          wanted.set(`${endpoint} ${JSON.stringify(extraTags)}`, { receiver: endpoint, tags: extraTags });
        for (const [id, { destination }] of running) {
          const now = wanted.get(id);
          if (now === undefined || !equalSpecs(now, destination)) stop(id);
        }
        for (const [id, destination] of wanted) {
          if (running.has(id)) continue;
          const abort = new AbortController();
          const signal = AbortSignal.any([abort.signal, context.signal]);
          const delivery = startDelivery({ ...destination, clock: machine.clock, logger: context.logger, signal });
          const following = followLogs(machine, (event) => delivery.push(event));
          running.set(id, {
            destination,
            stop() {
              following[Symbol.dispose]();
              abort.abort();
            },
          });
        }
        context.resetRestartBackoff();
      }
    },
  };
}
