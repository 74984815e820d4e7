import { pointerTo, type State } from "@talos-ts/cosi";
import { EtcFileStatus } from "@talos-ts/machinery/resources";
import type { Task } from "../../sequence.ts";

/** Trusted roots must be in place before anything dials out over TLS. */
export function waitForCaRoots(machine: { readonly state: State }): Task {
  return async ({ signal }) => {
    await machine.state.watchFor(pointerTo(EtcFileStatus, "ssl/certs/ca-certificates.crt"), {}, signal);
  };
}
