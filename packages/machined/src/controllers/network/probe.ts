import { connect } from "node:net";
import { describeError, OsError, type Clock, timeLimit } from "@talos-ts/base";
import { equalSpecs, exclusive, kindOf, weak, type Controller, type Logger } from "@talos-ts/cosi";
import {
  ProbeSpec,
  ProbeStatus,
  type ProbeSpecSpec,
  type ProbeStatusSpec,
} from "@talos-ts/machinery/resources/network";

interface RunningProbe {
  readonly spec: ProbeSpecSpec;
  readonly abort: AbortController;
  /** `undefined` until enough is known. */
  result: ProbeStatusSpec | undefined;
}

export interface ProbeOptions {
  /** Resolves if a connection can be made. @default a real TCP connection */
  readonly dial?: (endpoint: string, signal: AbortSignal) => Promise<void>;
}

/** Connects to each endpoint at its interval and publishes success; a failure counts after `failureThreshold` in a row. */
export function probeController(machine: { readonly clock: Clock }, options: ProbeOptions = {}): Controller {
  const { clock } = machine;
  const { dial = dialTcp } = options;

  async function attempt(spec: ProbeSpecSpec, signal: AbortSignal): Promise<string | undefined> {
    using limit = timeLimit(spec.tcp.timeoutMs, { clock, signal });
    try {
      await dial(spec.tcp.endpoint, limit.signal);
      return undefined;
    } catch (err) {
      return describeError(err);
    }
  }

  async function repeat(probe: RunningProbe, changed: () => void, logger: Logger): Promise<void> {
    const { signal } = probe.abort;
    for (let failures = 0; !signal.aborted;) {
      const lastError = await attempt(probe.spec, signal);
      if (signal.aborted) return;
      failures = lastError === undefined ? 0 : failures + 1;
      if (failures === 0 || failures >= probe.spec.failureThreshold) {
        const result = { success: failures === 0, lastError: lastError ?? "" };
        if (result.success !== probe.result?.success) {
          logger.info(result.success ? "probe succeeded" : "probe failed", {
            endpoint: probe.spec.tcp.endpoint,
            ...result,
          });
        }
        if (!equalSpecs(result, probe.result)) {
          probe.result = result;
          changed();
        }
      }
      await clock.sleep(probe.spec.intervalMs, signal).catch(() => undefined);
    }
  }

  return {
    name: "network.ProbeController",
    inputs: [weak(ProbeSpec)],
    outputs: [exclusive(ProbeStatus)],
    async run(context) {
      const probes = new Map<string, RunningProbe>();
      const stop = (id: string): void => {
        probes.get(id)?.abort.abort();
        probes.delete(id);
      };
      using _all = { [Symbol.dispose]: () => probes.keys().forEach(stop) };

      for await (const _event of context.events) {
        const specs = (await context.list(ProbeSpec)).filter(({ metadata }) => metadata.phase === "running");
        const wanted = new Map(specs.map(({ metadata, spec }) => [metadata.id, spec]));
        for (const [id, { spec }] of probes) if (!equalSpecs(spec, wanted.get(id))) stop(id);
        context.startTrackingOutputs();
        for (const [id, spec] of wanted) {
          const probe = probes.get(id) ?? { spec, abort: new AbortController(), result: undefined };
          if (!probes.has(id)) {
            probes.set(id, probe);
            void repeat(probe, () => context.queueReconcile(), context.logger);
          }
          const { result } = probe;
          if (result !== undefined) await context.modify(ProbeStatus, id, () => result);
        }
        await context.cleanupOutputs(kindOf(ProbeStatus));
        context.resetRestartBackoff();
      }
    },
  };
}

function dialTcp(endpoint: string, signal: AbortSignal): Promise<void> {
  const [, v6, v4, port] = /^(?:\[(.+)\]|([^:]+)):(\d+)$/.exec(endpoint) ?? [];
  return new Promise((resolve, reject) => {
    const failed = (cause: unknown): void => {
      socket.destroy();
      reject(
        new OsError({
          kind: "unavailable",
          code: "network/probe-failed",
          message: `Cannot connect to ${endpoint}`,
          cause,
          next: "talosctl get probes",
        }),
      );
    };
    const socket = connect({ host: v6 ?? v4 ?? "", port: Number(port), signal });
    socket.once("error", failed);
    socket.once("connect", () => {
      // Many probes must not leave many half-closed connections behind.
      socket.resetAndDestroy();
      resolve();
    });
  });
}
