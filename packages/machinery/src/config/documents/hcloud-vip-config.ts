import { document } from "../schema/document.ts";
import { string } from "../schema/scalars.ts";
import { property } from "../schema/type.ts";
import { requireAddressName } from "./shared/rules.ts";

export const hcloudVipConfig = document({
  kind: "HCloudVIPConfig",
  schemaName: "network.HCloudVIPConfigV1Alpha1",
  doc: "An address shared by the control plane nodes, moved by the API of Hetzner Cloud.",
  name: "The shared address.",
  conflictsWith: ["Layer2VIPConfig"],
  fields: {
    link: property(string(), "Name or alias of the link that gets the address.", { always: true }),
    apiToken: property(string(), "Token for the API.", { always: true, secret: true }),
  },
  validate: (vip, check) => {
    requireAddressName(vip, check);
    if (vip.link === undefined) check.error(["link"], "link must be specified");
    if (vip.apiToken === undefined) check.error(["apiToken"], "apiToken must be specified");
  },
});
