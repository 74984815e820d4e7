import { createHash } from "node:crypto";
import { describeError } from "@talos-ts/base";
import { createResource, reduceController, shared, weak, type Controller, type Logger } from "@talos-ts/cosi";
import { hostnameOf } from "@talos-ts/machinery/config";
import { Identity } from "@talos-ts/machinery/resources/cluster";
import { HostnameSpec, NodeAddress, type HostnameSpecSpec } from "@talos-ts/machinery/resources/network";
import { addressOf } from "@talos-ts/base/net";
import { activeConfig, activeConfigInput } from "../internal/config-resource.ts";
import { parseFqdn } from "./internal/fqdn.ts";
import { configNamespace, layeredId } from "./internal/resource-ids.ts";

/** The hostname of the configuration, and the one that is made up when no source has one. */
export function hostnameConfigController(): Controller {
  return reduceController({
    name: "network.HostnameConfigController",
    inputs: [
      activeConfigInput,
      weak(NodeAddress, { id: NodeAddress.ids.default }),
      weak(Identity, { id: Identity.id }),
    ],
    outputs: [shared(HostnameSpec, configNamespace)],
    async reduce(context) {
      const config = await activeConfig(context);
      const settings = config === undefined ? undefined : hostnameOf(config);
      const address = (await context.find(NodeAddress, NodeAddress.ids.default))?.spec.addresses[0];
      const identity = (await context.find(Identity, Identity.id))?.spec.nodeId;
      const automatic = { off: undefined, "talos-addr": nameOfAddress(address), stable: stableName(identity) };
      const specs = [
        given(settings?.hostname, context.logger),
        HostnameSpec.spec({ hostname: automatic[settings?.auto ?? "off"] ?? "", layer: "default" }),
      ];
      return specs
        .filter(({ hostname }) => hostname !== "")
        .map((spec) =>
          createResource(HostnameSpec, layeredId(spec.layer, HostnameSpec.id), spec, { namespace: configNamespace }),
        );
    },
  });
}

function given(name: string | undefined, logger: Logger): HostnameSpecSpec {
  if (name === undefined || name === "") return HostnameSpec.spec();
  try {
    return HostnameSpec.spec({ ...parseFqdn(name), layer: "configuration" });
  } catch (err) {
    logger.warn("ignoring error", { error: describeError(err) });
    return HostnameSpec.spec();
  }
}

/** `talos-xxx-xxx` from the identity of the node: the same at every boot, and hardly ever that of another node. */
export function stableName(identity: string | undefined): string | undefined {
  if (identity === undefined || identity === "") return undefined;
  const digest = createHash("sha256").update(identity).digest();
  const text = digest.readBigUInt64BE(0).toString(36);
  return `talos-${text.slice(1, 4)}-${text.slice(4, 7)}`;
}

function nameOfAddress(prefix: string | undefined): string | undefined {
  if (prefix === undefined) return undefined;
  return `talos-${addressOf(prefix).replaceAll(":", "").replaceAll(".", "-")}`;
}
