import { OsError } from "@talos-ts/base";
import type { ResourceType } from "./resource.ts";

/** The resource types this process knows, by name. Others travel as they came. */
export interface ResourceRegistry {
  find(type: string): ResourceType<unknown> | undefined;
  readonly types: readonly ResourceType<unknown>[];
}

/** @throws {OsError} `cosi/type-registered-twice` */
export function createResourceRegistry(types: Iterable<ResourceType<unknown>> = []): ResourceRegistry {
  const known = new Map<string, ResourceType<unknown>>();
  for (const type of types) {
    if (known.has(type.type)) {
      throw new OsError({
        kind: "internal",
        code: "cosi/type-registered-twice",
        message: `Cannot register the resource type "${type.type}" twice`,
      });
    }
    known.set(type.type, type);
  }
  return { find: (type) => known.get(type), types: [...known.values()] };
}
