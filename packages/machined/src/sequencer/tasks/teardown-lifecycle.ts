import { describeError } from "@talos-ts/base";
import { isNotFound, pointerTo } from "@talos-ts/cosi";
import { VolumeLifecycle } from "@talos-ts/machinery/resources/block";
import type { Machine } from "../../machine.ts";
import type { Task } from "../sequencer.ts";
import { releaseEphemeralPartition } from "./mount-ephemeral-partition.ts";

const lifecycle = pointerTo(VolumeLifecycle, VolumeLifecycle.id);
const patienceMs = 10_000;

/** Lets controllers write what they still have to write, and then closes the volumes. */
export function teardownLifecycle(machine: Pick<Machine, "state">): Task {
  return async ({ log }) => {
    const late = AbortSignal.timeout(patienceMs);
    // A machine that is to end ends, also with volumes that someone will not give back.
    const unlessNew = (err: unknown): void => {
      if (!isNotFound(err)) log(`volumes are not closed: ${describeError(err)}`);
    };
    await releaseEphemeralPartition(machine.state, late).catch(unlessNew);
    try {
      await machine.state.teardown(lifecycle);
      await machine.state.watchFor(lifecycle, { phases: ["tearingDown"], finalizersEmpty: true }, late);
    } catch (err) {
      unlessNew(err);
    }
  };
}
