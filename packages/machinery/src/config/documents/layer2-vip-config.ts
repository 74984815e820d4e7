import { document } from "../schema/document.ts";
import { string } from "../schema/scalars.ts";
import { property } from "../schema/type.ts";
import { requireAddressName } from "./shared/rules.ts";

export const layer2VipConfig = document({
  kind: "Layer2VIPConfig",
  schemaName: "network.Layer2VIPConfigV1Alpha1",
  doc: "An address shared by the control plane nodes of one network segment.",
  name: "The shared address.",
  conflictsWith: ["HCloudVIPConfig"],
  fields: {
    link: property(string(), "Name or alias of the link that gets the address.", { always: true, example: "enp0s2" }),
  },
  validate: (vip, check) => {
    requireAddressName(vip, check);
    if (vip.link === undefined) check.error(["link"], "link must be specified");
  },
});
