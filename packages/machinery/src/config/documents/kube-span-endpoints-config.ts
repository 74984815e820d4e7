import { document } from "../schema/document.ts";
import { parseAddressPort } from "../schema/formats.ts";
import { formatted } from "../schema/scalars.ts";
import { property, array } from "../schema/type.ts";

const endpoint = formatted("an address with port such as 192.168.13.46:52000", parseAddressPort, { type: "string" });

export const kubeSpanEndpointsConfig = document({
  kind: "KubeSpanEndpointsConfig",
  schemaKind: "KubeSpanEndpoints",
  schemaName: "network.KubespanEndpointsConfigV1Alpha1",
  doc: "More endpoints under which peers may reach this node.",
  fields: {
    extraAnnouncedEndpoints: property(array(endpoint), "Addresses with ports to announce.", {
      always: true,
      example: ["192.168.13.46:52000"],
    }),
  },
});
