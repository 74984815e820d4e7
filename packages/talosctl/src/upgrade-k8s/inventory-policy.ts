import { foreignInventory, isInventoried, type KubernetesObject } from "@talos-ts/kubernetes";

/** Objects of the cluster that manifests may change, by whom they belong to; values of `--manifests-inventory-policy`. */
export const inventoryPolicies = ["MustMatch", "AdoptIfNoInventory", "AdoptAll"] as const;
export type InventoryPolicy = (typeof inventoryPolicies)[number];

const allows: Readonly<Record<InventoryPolicy, (present: KubernetesObject) => boolean>> = {
  MustMatch: isInventoried,
  AdoptIfNoInventory: (present) => foreignInventory(present) === undefined,
  AdoptAll: () => true,
};

/** Says why a policy forbids to change an object that is there; `undefined` when it may be changed. */
export function inventoryRefusal(policy: InventoryPolicy, present: KubernetesObject): string | undefined {
  if (allows[policy](present)) return undefined;
  const owner = foreignInventory(present);
  const belongs = owner === undefined ? "belongs to no inventory" : `belongs to inventory ${JSON.stringify(owner)}`;
  return `the object ${belongs}, --manifests-inventory-policy ${policy} leaves it alone`;
}
