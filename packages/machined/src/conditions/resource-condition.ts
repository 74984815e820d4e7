import type { Pointer, Resource, State } from "@talos-ts/cosi";
import { condition, type Condition } from "./condition.ts";

/** Holds once a resource exists (and passes the test). */
export function resourceCondition(
  state: State,
  text: string,
  pointer: Pointer,
  test: (resource: Resource) => boolean = () => true,
): Condition {
  return condition(text, async (signal) => {
    await state.watchFor(pointer, { phases: ["running"], test }, signal);
  });
}
