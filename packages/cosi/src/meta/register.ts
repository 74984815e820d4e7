import { createResource, type Resource } from "../resource.ts";
import type { CoreState } from "../state.ts";
import { defineResource, definitionId, type ResourceTypeInfo } from "./define-resource.ts";
import { metaNamespace, metaOwner, namespaceType } from "./namespace.ts";
import { resourceDefinitionType } from "./resource-definition.ts";

/** The two types that describe all others, themselves included. */
export const metaTypeInfos: readonly ResourceTypeInfo[] = [
  {
    type: resourceDefinitionType.type,
    defaultNamespace: metaNamespace,
    aliases: ["api-resources"],
    printColumns: [{ name: "Aliases", jsonPath: "{.aliases[:]}" }],
  },
  { type: namespaceType.type, defaultNamespace: metaNamespace, aliases: ["ns"] },
];

/** Lets everybody find a type by its names. */
export async function registerResourceType(state: CoreState, info: ResourceTypeInfo): Promise<Resource> {
  const definition = defineResource(info);
  return state.create(createResource(resourceDefinitionType, definitionId(info.type), definition), {
    owner: metaOwner,
  });
}

/** Lets everybody know of a namespace. */
export async function registerNamespace(state: CoreState, name: string, description: string): Promise<Resource> {
  return state.create(createResource(namespaceType, name, { description }), { owner: metaOwner });
}
