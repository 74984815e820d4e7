import { OsError } from "@talos-ts/base";
import { createResource, exclusive, reduceController, weak, type Controller } from "@talos-ts/cosi";
import { Nodename } from "@talos-ts/machinery/resources/k8s";
import { HostnameStatus } from "@talos-ts/machinery/resources/network";
import { activeConfig, activeConfigInput } from "../internal/config-resource.ts";
import { fqdnOf } from "../internal/hostname.ts";

/** The name of the Kubernetes node, from the host name. */
export function nodenameController(): Controller {
  return reduceController({
    name: "k8s.NodenameController",
    inputs: [activeConfigInput, weak(HostnameStatus, { id: HostnameStatus.id })],
    outputs: [exclusive(Nodename)],
    async reduce(context) {
      const machine = (await activeConfig(context))?.machine;
      const hostname = await context.find(HostnameStatus, HostnameStatus.id);
      if (machine === undefined || hostname === undefined) return undefined;
      const { registerWithFQDN = false, skipNodeRegistration = false } = machine.kubelet ?? {};
      const spec = Nodename.spec({
        nodename: nodenameFrom(registerWithFQDN ? fqdnOf(hostname.spec) : hostname.spec.hostname),
        hostnameVersion: String(hostname.metadata.version),
        skipNodeRegistration,
      });
      return [createResource(Nodename, Nodename.id, spec)];
    },
  });
}

/** Lower case letters, digits, dashes and dots, beginning and ending with a letter or digit. */
export function nodenameFrom(hostname: string): string {
  const name = hostname
    .toLowerCase()
    .replaceAll("_", "-")
    .replaceAll(/[^a-z0-9.-]/g, "")
    .replaceAll(/^[-.]+|[-.]+$/g, "");
  if (name !== "") return name;
  throw new OsError({
    kind: "invalid-argument",
    code: "k8s/bad-nodename",
    message: `could not convert hostname ${JSON.stringify(hostname)} to a valid Kubernetes Node name`,
    next: "talosctl get hostnamestatus",
  });
}
