import type { Clock } from "@talos-ts/base";
import { imageCacheRoots, registrydPort } from "@talos-ts/machinery/constants";
import { createRegistryServer, listen, openLayout, type ImageLayout } from "@talos-ts/oci";
import { presentLayouts } from "../../images/present-layouts.ts";
import type { LogStore } from "../../logs/log-store.ts";
import { inProcessRunner } from "../../runners/in-process.ts";
import { restartRunner } from "../../runners/restart.ts";
import type { HealthCheck } from "../health.ts";
import { checkHttpHealth } from "../http-health.ts";
import type { Service } from "../../service.ts";

const host = "127.0.0.1";

/** The image cache of the machine as a registry, for its own containerds and pulls. */
export function registrydService(
  machine: { readonly clock: Clock; readonly logs: LogStore; readonly root: string },
  port: number = registrydPort,
): Service {
  const log = machine.logs.open("registryd");
  const serve = async (signal: AbortSignal): Promise<void> => {
    const folders = await presentLayouts(imageCacheRoots.map((root) => `${machine.root}${root}`));
    const layouts: ImageLayout[] = [];
    for (const folder of folders) layouts.push(await openLayout(folder));
    const server = createRegistryServer({ layouts: () => layouts, log: (line) => log.write(`${line}\n`) });
    await using listening = await listen(server, host, port);
    log.write(`serving ${folders.join(", ")} on ${host}:${String(listening.port)}\n`);
    await new Promise<void>((resolve) => {
      signal.addEventListener("abort", () => resolve(), { once: true });
      if (signal.aborted) resolve();
    });
  };
  const runner = () => inProcessRunner({ id: "registryd", main: serve, clock: machine.clock });
  return {
    id: "registryd",
    runner: () => restartRunner(runner, { policy: "forever", clock: machine.clock }),
    health: registrydHealth(port),
  };
}

function registrydHealth(port: number): HealthCheck {
  return {
    check: (signal) => checkHttpHealth(`http://${host}:${String(port)}/healthz`, signal, "talosctl logs registryd"),
  };
}
