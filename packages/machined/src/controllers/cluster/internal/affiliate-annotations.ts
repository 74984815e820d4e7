import type { NodeObject } from "@talos-ts/kubernetes";
import { Affiliate, type AffiliateSpec } from "@talos-ts/machinery/resources/cluster";

const nodeId = "cluster.talos.dev/node-id";
const key = (name: string): string => `networking.talos.dev/${name}`;
const controlPlaneLabel = "node-role.kubernetes.io/control-plane";

/** Annotations of a node that describe its machine; `null` removes one. */
export function annotationsOf(spec: AffiliateSpec): Readonly<Record<string, string | null>> {
  const { kubespan, controlPlane } = spec;
  const values: Readonly<Record<string, string>> = {
    [nodeId]: spec.nodeId,
    [key("self-ips")]: spec.addresses.join(","),
    [key("api-server-port")]: controlPlane === undefined ? "" : String(controlPlane.port),
    [key("kubespan-ip")]: kubespan.address,
    [key("kubespan-public-key")]: kubespan.publicKey,
    [key("assigned-prefixes")]: kubespan.additionalAddresses.join(","),
    [key("kubespan-endpoints")]: kubespan.endpoints.join(","),
    [key("kubespan-exclude-advertised-networks")]: kubespan.excludeAdvertisedNetworks.join(","),
  };
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value === "" ? null : value]));
}

/** The machine that a node's annotations describe; `undefined` for a node that is none of this system. */
export function affiliateFromNode({ metadata, status }: NodeObject): AffiliateSpec | undefined {
  const { annotations = {}, labels = {}, name = "" } = metadata;
  const id = annotations[nodeId];
  if (id === undefined || id === "") return undefined;
  const text = (name: string): string => annotations[key(name)] ?? "";
  const list = (name: string): readonly string[] =>
    text(name)
      .split(",")
      .filter((value) => value !== "");
  const hostname = status?.addresses?.find(({ type }) => type === "Hostname")?.address ?? name;
  const port = Number(text("api-server-port"));
  return Affiliate.spec({
    nodeId: id,
    addresses: list("self-ips"),
    hostname,
    nodename: name,
    operatingSystem: status?.nodeInfo?.osImage ?? "",
    machineType: Object.hasOwn(labels, controlPlaneLabel) ? "controlplane" : "worker",
    kubespan: {
      publicKey: text("kubespan-public-key"),
      address: text("kubespan-ip"),
      additionalAddresses: list("assigned-prefixes"),
      endpoints: list("kubespan-endpoints"),
      excludeAdvertisedNetworks: list("kubespan-exclude-advertised-networks"),
    },
    controlPlane: port > 0 ? { port } : undefined,
  });
}
