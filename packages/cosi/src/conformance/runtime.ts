import { runtimeAccessCriteria } from "./runtime-access.ts";
import { runtimeControllerCriteria } from "./runtime-controller.ts";
import { runtimeFaultCriteria } from "./runtime-faults.ts";
import { runtimeQueueCriteria } from "./runtime-queue.ts";
import { runtimeShapeCriteria } from "./runtime-shapes.ts";
import { group, type StateSubject } from "./state-fixtures.ts";

/** Declares what the controller runtime must do over a state. */
export function runtimeConformance(subject: StateSubject): void {
  group(`runtime conformance: ${subject.name}`, () => {
    runtimeAccessCriteria(subject);
    runtimeControllerCriteria(subject);
    runtimeShapeCriteria(subject);
    runtimeQueueCriteria(subject);
    runtimeFaultCriteria(subject);
  });
}
