export { listDefinitions, resourceState, type RawResource } from "./resource-state.ts";
