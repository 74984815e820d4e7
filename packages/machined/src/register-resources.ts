import { metaTypeInfos, registerNamespace, registerResourceType, type State } from "@talos-ts/cosi";
import { namespaces, resourceTypes } from "@talos-ts/machinery/resources";

/** Makes every type and namespace known, so that clients find them by name. */
export async function registerResources(state: State): Promise<void> {
  await registerNamespace(state, "meta", "Metadata namespace which contains resource and namespace definitions.");
  for (const { name, description } of namespaces) await registerNamespace(state, name, description);
  for (const info of [...metaTypeInfos, ...resourceTypes]) await registerResourceType(state, info);
}
