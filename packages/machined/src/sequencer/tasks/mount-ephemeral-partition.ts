import { createResource, pointerTo, type State } from "@talos-ts/cosi";
import { VolumeMountRequest, VolumeMountStatus } from "@talos-ts/machinery/resources";
import type { Machine } from "../../machine.ts";
import type { Task } from "../sequencer.ts";

const id = "sequencer-EPHEMERAL";
const holder = "sequencer";

/** Has the volume behind `/var` mounted, and keeps it so until the machine goes down. */
export function mountEphemeralPartition(machine: Machine): Task {
  return async ({ signal }) => {
    const spec = VolumeMountRequest.spec({ volumeID: "EPHEMERAL", requester: holder });
    await machine.state.create(createResource(VolumeMountRequest, id, spec));
    const status = pointerTo(VolumeMountStatus, id);
    await machine.state.watchFor(status, { phases: ["running"] }, signal);
    await machine.state.addFinalizer(status, holder);
  };
}

/** Gives the volume back; a machine that did not get so far has nothing to give. */
export async function releaseEphemeralPartition(state: State, signal: AbortSignal): Promise<void> {
  await state.removeFinalizer(pointerTo(VolumeMountStatus, id), holder);
  await state.teardownAndDestroy(pointerTo(VolumeMountRequest, id), { signal });
}
