import { reconcileController, weak, type Controller } from "@talos-ts/cosi";
import { etcdPeerPort } from "@talos-ts/machinery/constants";
import { formatMemberId } from "@talos-ts/machinery/etcd";
import { EtcdSpec, PKIStatus } from "@talos-ts/machinery/resources/etcd";
import { Service } from "@talos-ts/machinery/resources/v1alpha1";
import { advertisePeerUrls } from "../../etcd/advertise-peer-urls.ts";
import { memberUrls } from "../../etcd/member-urls.ts";

export interface AdvertisedPeerOptions {
  /** Tells etcd the peer URLs of the local member. @default over its API */
  readonly advertise?: (urls: readonly string[], signal: AbortSignal) => Promise<bigint | undefined>;
}

/** Tells etcd the present addresses of this machine, so that the other members find it after they have changed. */
export function etcdAdvertisedPeerController(
  machine: { readonly root: string },
  { advertise = (urls, signal) => advertisePeerUrls(machine, urls, signal) }: AdvertisedPeerOptions = {},
): Controller {
  return reconcileController({
    name: "etcd.AdvertisedPeerController",
    inputs: [weak(EtcdSpec, { id: EtcdSpec.id }), weak(PKIStatus, { id: PKIStatus.id }), weak(Service, { id: "etcd" })],
    outputs: [],
    async reconcile(context) {
      const service = await context.find(Service, "etcd");
      const spec = await context.find(EtcdSpec, EtcdSpec.id);
      const pki = await context.find(PKIStatus, PKIStatus.id);
      if (service?.spec.healthy !== true || spec === undefined || pki === undefined) return;
      const urls = memberUrls(spec.spec.advertisedAddresses, etcdPeerPort);
      const member = await advertise(urls, context.signal);
      if (member === undefined) return;
      context.logger.info("updated etcd peer URLs", { new_peer_urls: urls, member_id: formatMemberId(member) });
    },
  });
}
