import { createQueue, OsError, type Queue } from "@talos-ts/base";
import { Health, HealthCheckResponse_ServingStatus as ServingStatus } from "@talos-ts/proto/grpc/health";
import { createServer, type Listening } from "./server.ts";
import type { ServiceImpl } from "./service-impl.ts";

/** Implementation of `grpc.health.v1.Health` whose statuses can be set. */
export interface HealthService {
  readonly desc: typeof Health;
  readonly impl: ServiceImpl<typeof Health>;
  /** Sets the state of a service; the empty name is the server as a whole, which serves from the start. */
  set(service: string, serving: boolean): void;
}

/** `grpc.health.v1`: `server.addService(health.desc, health.impl)`. */
export function healthService(): HealthService {
  const states = new Map<string, ServingStatus>([["", ServingStatus.SERVING]]);
  const watchers = new Set<{ readonly service: string; readonly queue: Queue<ServingStatus> }>();

  return {
    desc: Health,
    impl: {
      check({ service }) {
        const status = states.get(service);
        if (status !== undefined) return { status };
        throw new OsError({ kind: "not-found", code: "grpc/unknown-service", message: `Unknown service "${service}"` });
      },
      async *watch({ service }, { signal }) {
        using queue = createQueue<ServingStatus>();
        const watcher = { service, queue };
        watchers.add(watcher);
        const stop = (): void => queue.fail(signal.reason);
        signal.addEventListener("abort", stop, { once: true });
        try {
          queue.push(states.get(service) ?? ServingStatus.SERVICE_UNKNOWN);
          for await (const status of queue) yield { status };
        } finally {
          watchers.delete(watcher);
          signal.removeEventListener("abort", stop);
        }
      },
    },
    set(service, serving) {
      const status = serving ? ServingStatus.SERVING : ServingStatus.NOT_SERVING;
      if (states.get(service) === status) return;
      states.set(service, status);
      for (const watcher of watchers) if (watcher.service === service) watcher.queue.push(status);
    },
  };
}

/** Answers health checks on a unix socket, and nothing else. */
export function serveHealth(unix: string): Promise<Listening> {
  const { desc, impl } = healthService();
  return createServer({ graceMs: 0 }).addService(desc, impl).listen({ unix });
}
