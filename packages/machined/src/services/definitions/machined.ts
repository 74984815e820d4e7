import { paths } from "@talos-ts/machinery/constants";
import type { Machine } from "../../machine.ts";
import { inProcessRunner } from "../../runners/in-process.ts";
import { dial } from "../dial.ts";
import type { Service } from "../service.ts";

/** The API of the node, served by this process. */
export function machinedService(machine: Machine, serve: (signal: AbortSignal) => Promise<void>): Service {
  return {
    id: "machined",
    runner: () => inProcessRunner({ id: "machined", main: serve }),
    health: { check: (signal) => dial({ path: `${machine.root}${paths.machinedSocket}` }, signal) },
  };
}
