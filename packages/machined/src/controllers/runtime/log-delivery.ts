import type { Clock } from "@talos-ts/base";
import type { Controller } from "@talos-ts/cosi";
import { followLogs } from "../../logs/delivery/follow-logs.ts";
import { startDelivery } from "../../logs/delivery/run-delivery.ts";
import type { LogStore } from "../../logs/log-store.ts";
import { activeConfig, activeConfigInput } from "../internal/config-resource.ts";
import { createReceiverSet } from "./internal/receiver-set.ts";

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
      using receivers = createReceiverSet<Destination>(context.signal);
      for await (const _event of context.events) {
        const { destinations = [] } = (await activeConfig(context))?.machine?.logging ?? {};
        const wanted = new Map<string, Destination>();
        for (const { endpoint = "", extraTags = {} } of destinations)
          wanted.set(`${endpoint} ${JSON.stringify(extraTags)}`, { receiver: endpoint, tags: extraTags });
        receivers.set(wanted, (destination, signal) => {
          const delivery = startDelivery({ ...destination, clock: machine.clock, logger: context.logger, signal });
          const following = followLogs(machine, (event) => delivery.push(event));
          signal.addEventListener("abort", () => following[Symbol.dispose](), { once: true });
        });
        context.resetRestartBackoff();
      }
    },
  };
}
