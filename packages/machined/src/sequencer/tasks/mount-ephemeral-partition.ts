import { createResource, pointerTo } from "@talos-ts/cosi";
import { VolumeMountRequest, VolumeMountStatus } from "@talos-ts/machinery/resources";
import type { Machine } from "../../machine.ts";
import type { Task } from "../sequencer.ts";

const id = "sequencer-EPHEMERAL";

/** Has the volume behind `/var` mounted, and keeps it so until the machine goes down. */
export function mountEphemeralPartition(machine: Machine): Task {
  return async ({ signal }) => {
    const spec = VolumeMountRequest.spec({ volumeID: "EPHEMERAL", requester: "sequencer" });
    await machine.state.create(createResource(VolumeMountRequest, id, spec));
    const status = pointerTo(VolumeMountStatus, id);
    await machine.state.watchFor(status, { phases: ["running"] }, signal);
    await machine.state.addFinalizer(status, "sequencer");
  };
}
