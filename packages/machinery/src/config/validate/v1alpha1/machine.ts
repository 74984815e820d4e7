/** Sections of the machine that stand alone. */

import type { MachineSection } from "../../documents/v1alpha1/config.ts";
import { isPrefixOrAddress } from "@talos-ts/base/net";
import { systemVolumes } from "../../../constants/index.ts";
import { parseGoUrl } from "../../schema/go-url.ts";
import type { Check } from "../check.ts";
import { annotationFindings, labelFindings, taintFindings } from "../labels.ts";
import { quote, withoutExclusion } from "../rules.ts";

export function validateMachineParts(machine: MachineSection, controlPlane: boolean, check: Check): void {
  validateDisks(machine, check);
  validateKubelet(machine, check);
  validateEncryption(machine, check);
  validateLogging(machine, check);
  validateNodeMeta(machine, check);
  validateFeatures(machine, controlPlane, check);
}

function validateDisks({ disks }: MachineSection, check: Check): void {
  for (const [index, disk] of (disks ?? []).entries()) {
    for (const [at, partition] of (disk.partitions ?? []).entries()) {
      if (partition.size !== undefined || at === (disk.partitions ?? []).length - 1) continue;
      check.error(
        ["machine", "disks", index, "partitions", at],
        `partition for disk ${quote(disk.device)} is set to occupy full disk, but it's not the last partition in the list`,
      );
    }
  }
}

/** Fields of the kubelet's configuration file that the system itself sets. */
export const protectedKubeletFields = [
  "apiVersion",
  "authentication",
  "authorization",
  "cgroupRoot",
  "kind",
  "kubeletCgroups",
  "port",
  "protectKernelDefaults",
  "resolvConf",
  "rotateCertificates",
  "systemCgroups",
  "staticPodPath",
  "seccompDefault",
] as const;

function validateKubelet({ kubelet }: MachineSection, check: Check): void {
  const path = ["machine", "kubelet"];
  for (const [index, network] of (kubelet?.nodeIP?.validSubnets ?? []).entries()) {
    const plain = withoutExclusion(network);
    if (!isPrefixOrAddress(plain)) {
      check.error([...path, "nodeIP", "validSubnets", index], `kubelet nodeIP subnet is not valid: ${quote(plain)}`);
    }
  }
  for (const field of protectedKubeletFields) {
    if (!Object.hasOwn(kubelet?.extraConfig ?? {}, field)) continue;
    check.error([...path, "extraConfig", field], `kubelet configuration field ${quote(field)} can't be overridden`);
  }
}

function validateEncryption({ systemDiskEncryption }: MachineSection, check: Check): void {
  for (const [label, key] of [
    [systemVolumes.ephemeral, "ephemeral"],
    [systemVolumes.state, "state"],
  ] as const) {
    const encryption = systemDiskEncryption?.[key];
    if (encryption === undefined) continue;
    const path = ["machine", "systemDiskEncryption", key, "keys"];
    const keys = encryption.keys ?? [];
    if (keys.length === 0) check.error(path, `partition ${quote(label)}: no encryption keys provided`);
    const slots = new Set<number>();
    for (const [index, { slot = 0, ...source }] of keys.entries()) {
      if (slots.has(slot))
        check.error([...path, index], `partition ${quote(label)}: encryption key slot ${slot} is already in use`);
      slots.add(slot);
      if (Object.values(source).every((value) => value === undefined)) {
        check.error(
          [...path, index],
          `partition ${quote(label)}: encryption key at slot ${slot} doesn't have the configuration parameters`,
        );
      }
    }
  }
}

function validateLogging({ logging }: MachineSection, check: Check): void {
  for (const [index, { endpoint, format }] of (logging?.destinations ?? []).entries()) {
    const path = ["machine", "logging", "destinations", index];
    if (endpoint === undefined) check.error([...path, "endpoint"], "empty logging endpoint");
    else {
      const { host, scheme } = parseGoUrl(endpoint);
      if (host === "") check.error([...path, "endpoint"], "empty logging endpoint's host");
      if (scheme !== "tcp" && scheme !== "udp") {
        check.error([...path, "endpoint"], `unexpected logging endpoint scheme ${quote(scheme)}`);
      }
    }
    if (format !== "json_lines") check.error([...path, "format"], `unknown logging format ${quote(format)}`);
  }
}

function validateNodeMeta(machine: MachineSection, check: Check): void {
  const rules = [
    ["nodeLabels", "labels", labelFindings(machine.nodeLabels)],
    ["nodeAnnotations", "annotations", annotationFindings(machine.nodeAnnotations)],
    ["nodeTaints", "taints", taintFindings(machine.nodeTaints)],
  ] as const;
  for (const [field, what, findings] of rules) {
    for (const [key, problem] of findings)
      check.error(["machine", field, key], `invalid machine node ${what}: ${problem}`);
  }
}

const roles = new Set(["admin", "operator", "reader", "etcd:backup", "image:verifier", "meta:writer", "impersonator"]);

function validateFeatures({ features }: MachineSection, controlPlane: boolean, check: Check): void {
  const access = features?.kubernetesTalosAPIAccess;
  const path = ["machine", "features"];
  if (access?.enabled === true) {
    if (!controlPlane) {
      check.error(
        [...path, "kubernetesTalosAPIAccess"],
        "feature Kubernetes Talos API Access can only be enabled on control plane machines",
      );
    }
    for (const [index, role] of (access.allowedRoles ?? []).entries()) {
      if (role.startsWith("os:") && roles.has(role.slice(3))) continue;
      check.error(
        [...path, "kubernetesTalosAPIAccess", "allowedRoles", index],
        `invalid role ${quote(role)} in allowed roles for Kubernetes Talos API Access`,
      );
    }
  }
  const sort = features?.nodeAddressSortAlgorithm;
  if (sort !== undefined && sort.toLowerCase() !== "v1" && sort.toLowerCase() !== "v2") {
    check.error(
      [...path, "nodeAddressSortAlgorithm"],
      `invalid node address sort algorithm: ${sort} does not belong to AddressSortAlgorithm values`,
    );
  }
}
