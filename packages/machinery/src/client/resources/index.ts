export {
  listDefinitions,
  rawResources,
  type RawEvent,
  type RawResource,
  type RawResources,
  type RawWatch,
} from "./raw-resources.ts";
export { openResources, type SpecOfType, type TypedResources } from "./typed-resources.ts";
