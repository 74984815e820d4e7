import { kindOf, reconcileController, shared, weak, type Controller, type Reader } from "@talos-ts/cosi";
import { staticHostsOf, type StaticHost } from "@talos-ts/machinery/config";
import { paths } from "@talos-ts/machinery/constants";
import { EtcFileSpec } from "@talos-ts/machinery/resources/files";
import { HostDNSConfig, HostnameStatus, NodeAddress, ResolverStatus } from "@talos-ts/machinery/resources/network";
import { addressOf } from "@talos-ts/base/net";
import { etcLabel } from "../internal/etc-label.ts";
import { activeConfig, activeConfigInput } from "../internal/config-resource.ts";
import type { PlatformMode } from "@talos-ts/machinery/constants";
import { writeInPlace } from "../internal/write-in-place.ts";
import { fqdnOf } from "../internal/hostname.ts";
import { renderHosts, renderResolvConf } from "./internal/render-etc.ts";

/**
 * `/etc/hosts`, `/etc/resolv.conf` and the `resolv.conf` of pods. A container keeps the `resolv.conf` it was given: its
 * servers are where the host DNS asks.
 */
export function networkEtcFileController(machine: {
  readonly platform: { readonly mode: PlatformMode };
  readonly root: string;
}): Controller {
  return reconcileController({
    name: "network.EtcFileController",
    inputs: [
      activeConfigInput,
      weak(HostnameStatus, { id: HostnameStatus.id }),
      weak(ResolverStatus, { id: ResolverStatus.id }),
      weak(NodeAddress, { id: NodeAddress.ids.default }),
      weak(HostDNSConfig, { id: HostDNSConfig.id }),
    ],
    outputs: [shared(EtcFileSpec)],
    cleanup: [kindOf(EtcFileSpec)],
    async reconcile(context) {
      const put = async (name: string, contents: string): Promise<void> => {
        await context.put(EtcFileSpec, name, () => ({ contents, mode: 0o644, selinuxLabel: etcLabel }));
      };
      const resolvers = (await context.find(ResolverStatus, ResolverStatus.id))?.spec;
      const hostDns = (await context.find(HostDNSConfig, HostDNSConfig.id))?.spec;
      if (resolvers !== undefined && hostDns !== undefined) {
        const { dnsServers, searchDomains } = resolvers;
        const forHost = hostDns.enabled ? ["127.0.0.53"] : dnsServers;
        if (machine.platform.mode !== "container")
          await put("resolv.conf", renderResolvConf({ dnsServers: forHost, searchDomains }));
        const forPods = hostDns.serviceHostDNSAddress === "" ? dnsServers : [hostDns.serviceHostDNSAddress];
        const podFile = renderResolvConf({ dnsServers: forPods, searchDomains });
        await writeInPlace(`${machine.root}${paths.podResolvConf}`, podFile, 0o644);
      }
      await put("hosts", renderHosts(await hostEntries(context)));
    },
  });
}

async function hostEntries(
  context: Reader,
): Promise<{ readonly own?: StaticHost; readonly extra: readonly StaticHost[] }> {
  const config = await activeConfig(context);
  const extra = config === undefined ? [] : staticHostsOf(config);
  const name = (await context.find(HostnameStatus, HostnameStatus.id))?.spec;
  const prefix = (await context.find(NodeAddress, NodeAddress.ids.default))?.spec.addresses[0];
  if (name === undefined || prefix === undefined) return { extra };
  return { own: { address: addressOf(prefix), hostnames: [...new Set([fqdnOf(name), name.hostname])] }, extra };
}
