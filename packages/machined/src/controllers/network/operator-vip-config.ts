import { createResource, reduceController, shared, type Controller } from "@talos-ts/cosi";
import {
  documentsOf,
  hcloudVipConfig,
  isControlPlane,
  layer2VipConfig,
  machineTypeOf,
  type Config,
} from "@talos-ts/machinery/config";
import { OperatorSpec, type OperatorSpecSpec } from "@talos-ts/machinery/resources/network";
import { activeConfig, activeConfigInput } from "../internal/config-resource.ts";
import { devicesInput, readDevices, type Device } from "./internal/devices.ts";
import { configNamespace, layeredId, operatorId } from "./internal/resource-ids.ts";

/** Virtual addresses of the configuration, on control plane machines: only they take part in the election. */
export function operatorVIPConfigController(): Controller {
  return reduceController({
    name: "network.OperatorVIPConfigController",
    inputs: [activeConfigInput, devicesInput],
    outputs: [shared(OperatorSpec, configNamespace)],
    async reduce(context) {
      const config = await activeConfig(context);
      if (config === undefined || !isControlPlane(machineTypeOf(config))) return [];
      const specs = [...legacyAddresses(await readDevices(context)), ...documentAddresses(config)];
      return specs.map((spec) =>
        createResource(OperatorSpec, layeredId(spec.layer, operatorId(spec)), spec, { namespace: configNamespace }),
      );
    },
  });
}

function legacyAddresses(devices: readonly Device[]): readonly OperatorSpecSpec[] {
  const used = devices.filter(({ ignore }) => ignore !== true);
  return used.flatMap((device) => {
    const link = device.interface ?? "";
    const vlans = (device.vlans ?? []).map(({ vlanId = 0, vip }) => ({ link: `${link}.${String(vlanId)}`, vip }));
    return [{ link, vip: device.vip }, ...vlans].flatMap(({ link: name, vip }) =>
      vip?.ip === undefined ? [] : [specOf(name, vip.ip, { equinixMetal: vip.equinixMetal, hcloud: vip.hcloud })],
    );
  });
}

function documentAddresses(config: Config): readonly OperatorSpecSpec[] {
  const announced = documentsOf(config, layer2VipConfig).map(({ name = "", link = "" }) => specOf(link, name));
  const moved = documentsOf(config, hcloudVipConfig).map(({ name = "", link = "", apiToken = "" }) =>
    specOf(link, name, { hcloud: { apiToken } }),
  );
  return [...announced, ...moved];
}

interface Provider {
  readonly apiToken?: string | undefined;
}

/** @param providers Their APIs move the address; then it is not announced on the link. */
function specOf(
  linkName: string,
  ip: string,
  {
    equinixMetal,
    hcloud,
  }: { readonly equinixMetal?: Provider | undefined; readonly hcloud?: Provider | undefined } = {},
): OperatorSpecSpec {
  const [metalToken, cloudToken] = [equinixMetal?.apiToken ?? "", hcloud?.apiToken ?? ""];
  return OperatorSpec.spec({
    operator: "vip",
    linkName,
    requireUp: true,
    vip: {
      ip,
      gratuitousARP: metalToken === "" && cloudToken === "",
      equinixMetal: { apiToken: metalToken },
      hcloud: { apiToken: cloudToken },
    },
    layer: "configuration",
  });
}
