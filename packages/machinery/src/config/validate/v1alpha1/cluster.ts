import type { ClusterSection } from "../../documents/v1alpha1/config.ts";
import { isPrefixOrAddress } from "@talos-ts/base/net";
import { parseGoUrl } from "../../schema/go-url.ts";
import type { Path } from "../../load/problem.ts";
import type { Check } from "../check.ts";
import { endpointProblem, failure, quote, withoutExclusion } from "../rules.ts";
import { validateControlPlanePods } from "./control-plane-pods.ts";

const dnsName = /^[a-zA-Z0-9_][a-zA-Z0-9_-]{0,62}(?:\.[a-zA-Z0-9_][a-zA-Z0-9_-]{0,62})*[._]?$/;

function isDnsName(name: string): boolean {
  return name.replaceAll(".", "").length <= 255 && dnsName.test(name);
}

export function validateCluster(cluster: ClusterSection | undefined, controlPlane: boolean, check: Check): void {
  if (cluster === undefined) return check.error(["cluster"], "cluster instructions are required");
  const endpoint = cluster.controlPlane?.endpoint;
  if (endpoint === undefined)
    return check.error(["cluster", "controlPlane"], "cluster controlplane endpoint is required");
  const problem = endpointProblem(endpoint);
  if (problem !== undefined)
    check.error(["cluster", "controlPlane", "endpoint"], `invalid controlplane endpoint: ${problem}`);
  const domain = cluster.network?.dnsDomain;
  if (domain !== undefined && !isDnsName(domain)) {
    check.error(["cluster", "network", "dnsDomain"], `${quote(domain)} is not a valid DNS name`);
  }
  validateCloudProvider(cluster, check);
  if (cluster.etcd !== undefined && controlPlane) validateEtcd(cluster.etcd, check);
  else if (cluster.etcd !== undefined) {
    check.error(["cluster", "etcd"], "etcd config is only allowed on control plane machines");
  }
  if (!controlPlane && cluster.ca?.key !== undefined) {
    check.error(["cluster", "ca", "key"], "cluster CA key is not allowed on non-controlplane nodes (.cluster.ca)");
  }
  validateInlineManifests(cluster, check);
  validateDiscovery(cluster, check);
  validateControlPlanePods(cluster, check);
}

function validateCloudProvider({ externalCloudProvider: provider }: ClusterSection, check: Check): void {
  const path = ["cluster", "externalCloudProvider"];
  const manifests = provider?.manifests ?? [];
  if (provider?.enabled !== true && manifests.length > 0) {
    return check.error(path, "external cloud provider is disabled, but manifests are provided");
  }
  for (const [index, manifest] of manifests.entries()) {
    const problem = endpointProblem(manifest);
    if (problem === undefined) continue;
    check.error(
      [...path, "manifests", index],
      `invalid external cloud provider manifest url ${quote(manifest)}: ${problem}`,
    );
  }
}

function validateEtcd(etcd: NonNullable<ClusterSection["etcd"]>, check: Check): void {
  const path = ["cluster", "etcd"];
  if (etcd.ca === undefined) check.error([...path, "ca"], "key/cert combination should not be empty");
  const advertised = etcd.advertisedSubnets ?? [];
  if (etcd.subnet !== undefined && advertised.length > 0) {
    check.error([...path, "subnet"], "etcd subnet can't be set when advertised subnets are set");
  }
  // A node listens where it announces itself unless told otherwise.
  const announced = advertised.length > 0 ? advertised : etcd.subnet === undefined ? [] : [etcd.subnet];
  const listened = etcd.listenSubnets ?? [];
  const lists: readonly (readonly [string, string, readonly string[]])[] = [
    ["advertised", "advertisedSubnets", announced],
    ["listen", "listenSubnets", listened.length > 0 ? listened : advertised],
  ];
  for (const [what, field, networks] of lists) checkNetworks([...path, field], networks, `etcd ${what} subnet`, check);
}

function checkNetworks(path: Path, networks: readonly string[], what: string, check: Check): void {
  for (const [index, network] of networks.entries()) {
    const plain = withoutExclusion(network);
    if (!isPrefixOrAddress(plain)) check.error([...path, index], `${what} is not valid: ${quote(plain)}`);
  }
}

function validateInlineManifests({ inlineManifests }: ClusterSection, check: Check): void {
  const names = new Set<string>();
  for (const [index, { name = "" }] of (inlineManifests ?? []).entries()) {
    const path = ["cluster", "inlineManifests", index];
    if (name.trim() === "") check.error(path, "inline manifest name can't be empty");
    if (names.has(name)) check.error(path, `inline manifest name ${quote(name)} is duplicate`);
    names.add(name);
  }
}

function validateDiscovery({ discovery, id, secret }: ClusterSection, check: Check): void {
  const service = discovery?.registries?.service;
  if (discovery?.enabled !== true || service?.disabled === true) return;
  const path = ["cluster", "discovery", "registries", "service"];
  const endpoint = service?.endpoint ?? "https://discovery.talos.dev/";
  const problem =
    failure(() => parseGoUrl(endpoint)) ??
    (/^[A-Za-z][A-Za-z0-9+.-]*:|^\//.test(endpoint) ? undefined : `parse ${quote(endpoint)}: invalid URI for request`);
  if (problem !== undefined) {
    check.error([...path, "endpoint"], `cluster discovery service registry endpoint is invalid: ${problem}`);
  } else if (!["", "/"].includes(parseGoUrl(endpoint).path)) {
    check.error([...path, "endpoint"], "cluster discovery service path should be empty");
  }
  if (id === undefined) check.error(path, "cluster discovery service requires .cluster.id");
  if (secret === undefined) check.error(path, "cluster discovery service requires .cluster.secret");
}

export function validateCni(cluster: ClusterSection | undefined, check: Check): void {
  const path = ["cluster", "network", "cni"];
  const cni = cluster?.network?.cni ?? { name: "flannel" };
  const { name = "", urls = [], flannel } = cni;
  if (!["flannel", "custom", "none"].includes(name)) {
    return check.error([...path, "name"], `cni name should be one of ["flannel", "custom", "none"]`);
  }
  if (name !== "custom" && urls.length > 0)
    check.error([...path, "urls"], `"urls" field should be empty for ${quote(name)} CNI`);
  if (name === "custom" && urls.length === 0)
    check.warn(path, `"urls" field should not be empty for ${quote(name)} CNI`);
  if (name === "flannel") return;
  if ((flannel?.extraArgs ?? []).length > 0) {
    check.error([...path, "flannel"], `"flanneldExtraArgs" field should be empty for ${quote(name)} CNI`);
  }
  if (flannel?.kubeNetworkPoliciesEnabled === true) {
    check.error(
      [...path, "flannel"],
      `"flannelKubeNetworkPoliciesEnabled" should not be enabled for ${quote(name)} CNI`,
    );
  }
  if (name !== "custom") return;
  for (const [index, manifest] of urls.entries()) {
    const problem = endpointProblem(manifest);
    if (problem !== undefined) check.error([...path, "urls", index], problem);
  }
}
