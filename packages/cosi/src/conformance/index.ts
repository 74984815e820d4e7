export { assertNoResource, assertResource, assertSpec, assertStatus, type WaitOptions } from "./assert-resource.ts";
export { controllerTest, type ControllerTest, type ControllerTestOptions } from "./controller-test.ts";
export { createRecordingLogger, type LogLine, type RecordingLogger } from "./recording-logger.ts";
export { runtimeConformance } from "./runtime.ts";
export { stateConformance } from "./state.ts";
export {
  brief,
  note,
  notePointer,
  notes,
  noteType,
  otherType,
  readEvents,
  type HarnessOptions,
  type Note,
  type StateHarness,
  type StateSubject,
} from "./state-fixtures.ts";
