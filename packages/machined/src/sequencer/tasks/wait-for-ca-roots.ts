import { pointerTo } from "@talos-ts/cosi";
import { EtcFileStatus } from "@talos-ts/machinery/resources";
import type { Machine } from "../../machine.ts";
import type { Task } from "../sequencer.ts";

/** Trusted roots must be in place before anything dials out over TLS. */
export function waitForCaRoots(machine: Machine): Task {
  return async ({ signal }) => {
    await machine.state.watchFor(pointerTo(EtcFileStatus, "ssl/certs/ca-certificates.crt"), {}, signal);
  };
}
