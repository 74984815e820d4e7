import { isRecord } from "@talos-ts/base";
import type { JsonObject } from "@talos-ts/machinery/resources/values";

/** An unstructured part of the configuration, which was read from YAML and so holds JSON; an empty object if absent. */
export function jsonObject(value: unknown): JsonObject {
  return isRecord(value) ? (value as JsonObject) : {};
}
