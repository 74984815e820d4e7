import { createResource, type Resource } from "../resource.ts";
import type { CoreState } from "../state.ts";
import { resourceDefinitionOf, definitionId, type ResourceTypeInfo } from "./resource-definition-of.ts";
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
  const definition = resourceDefinitionOf(info);
  return state.create(createResource(resourceDefinitionType, definitionId(info.type), definition), {
    owner: metaOwner,
  });
}

/** Lets everybody know of a namespace. */
export async function registerNamespace(state: CoreState, name: string, description: string): Promise<Resource> {
  return state.create(createResource(namespaceType, name, { description }), { owner: metaOwner });
}
