import { basename } from "node:path";
import { isRecord } from "@talos-ts/base";
import type { AddressMover } from "./address-mover.ts";
import type { ProviderOptions } from "./hcloud.ts";
import { createJsonApi, recordsOf } from "./json-api.ts";

/** Moves an address of Equinix Metal by assigning it to the device. */
export function equinixMetalMover({ root, ip, apiToken, url, metadataUrl }: ProviderOptions): AddressMover {
  let assignment = "";
  const headers = { "x-auth-token": apiToken, "x-consumer-token": "talos" };
  return {
    async acquire(signal) {
      const api = createJsonApi({ url, root, signal, headers });
      const { id: device } = await createJsonApi({ url: metadataUrl, root, signal }).call("GET", "/metadata");
      const { project } = await api.call("GET", `/devices/${String(device)}?include=project`);
      const projectId = String(isRecord(project) ? project["id"] : "");
      const { ip_addresses: addresses } = await api.call("GET", `/projects/${projectId}/ips`);
      const own = recordsOf(addresses).filter(({ address }) => address === ip);
      for (const { href } of own.flatMap(({ assignments }) => recordsOf(assignments))) {
        await api.call("DELETE", `/ips/${basename(String(href))}`);
      }
      const { id } = await api.call("POST", `/devices/${String(device)}/ips`, { address: ip });
      assignment = String(id);
    },
    async release(signal) {
      if (assignment === "") return;
      await createJsonApi({ url, root, signal, headers }).call("DELETE", `/ips/${assignment}`);
      assignment = "";
    },
  };
}
