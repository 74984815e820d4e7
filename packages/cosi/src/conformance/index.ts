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
