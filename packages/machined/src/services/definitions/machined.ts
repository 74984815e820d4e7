import { paths } from "@talos-ts/machinery/constants";
import type { ApiDependencies } from "../../api/api-dependencies.ts";
import { createApiServers } from "../../api/api-servers.ts";
import { inProcessRunner } from "../../runners/in-process.ts";
import type { Service } from "../../service.ts";
import { dial } from "../dial.ts";

/** Serves the API of the node from this process. */
export function machinedService(dependencies: ApiDependencies): Service {
  return {
    id: "machined",
    runner: () => inProcessRunner({ id: "machined", main: (signal) => serve(dependencies, signal) }),
    health: { check: (signal) => dial({ path: `${dependencies.root}${paths.machinedSocket}` }, signal) },
  };
}

async function serve(dependencies: ApiDependencies, signal: AbortSignal): Promise<void> {
  await using servers = createApiServers(dependencies);
  await servers.start();
  await new Promise<void>((resolve) => {
    signal.addEventListener("abort", () => resolve(), { once: true });
    if (signal.aborted) resolve();
  });
}
