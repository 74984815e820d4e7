import { paths } from "@talos-ts/machinery/constants";
import { createApiServers } from "../../api/api-servers.ts";
import type { Machine } from "../../machine.ts";
import { inProcessRunner } from "../../runners/in-process.ts";
import { dial } from "../dial.ts";
import type { Service } from "../../service.ts";

/** The API of the node, served by this process. */
export function machinedService(machine: Machine): Service {
  return {
    id: "machined",
    runner: () => inProcessRunner({ id: "machined", main: (signal) => serve(machine, signal) }),
    health: { check: (signal) => dial({ path: `${machine.root}${paths.machinedSocket}` }, signal) },
  };
}

async function serve(machine: Machine, signal: AbortSignal): Promise<void> {
  await using servers = createApiServers(machine);
  await servers.start();
  await new Promise<void>((resolve) => {
    signal.addEventListener("abort", () => resolve(), { once: true });
    if (signal.aborted) resolve();
  });
}
