/** The main document, the only one without a kind. */

import type { DocumentSchema } from "../../schema/document.ts";
import { boolean, string } from "../../schema/scalars.ts";
import { property, object, type Infer } from "../../schema/type.ts";
import { cluster } from "./cluster.ts";
import { machine } from "./machine.ts";
import { validateMain } from "../../validate/v1alpha1/main.ts";

export const mainType = object("v1alpha1.Config", "The machine and the cluster it belongs to.", {
  version: property(string({ values: ["v1alpha1"] }), "Version of the document.", { always: true }),
  debug: property(boolean, "Shows the logs of all services on the console."),
  persist: property(boolean, "Without effect; configuration is always kept.", { hidden: true }),
  machine: property(machine, "The machine.", { always: true }),
  cluster: property(cluster, "The cluster.", { always: true }),
});

/** Value of the main (`v1alpha1`) document. */
export type MainConfig = Infer<typeof mainType>;
/** The `machine` section of the main document. */
export type MachineSection = NonNullable<MainConfig["machine"]>;
/** The `cluster` section of the main document. */
export type ClusterSection = NonNullable<MainConfig["cluster"]>;

export const mainConfigDocument: DocumentSchema<MainConfig> = {
  kind: "v1alpha1",
  apiVersion: "",
  named: false,
  type: mainType,
  hidden: false,
  conflictsWith: [],
  validate: validateMain,
};
