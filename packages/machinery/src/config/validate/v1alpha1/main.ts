/** True when the main document makes sense as a whole. */

import type { MachineSection, MainConfig } from "../../documents/v1alpha1/config.ts";
import { modeTraits, type Check } from "../check.ts";
import { quote } from "../rules.ts";
import { validateCluster, validateCni } from "./cluster.ts";
import { validateKubeSpan } from "./kubespan.ts";
import { isControlPlane, parseMachineType } from "./machine-type.ts";
import { validateMachineParts } from "./machine.ts";
import { validateNetwork } from "./network.ts";

export function validateMain(main: MainConfig, check: Check): void {
  const { machine, cluster } = main;
  if (machine === undefined) return check.error(["machine"], "machine instructions are required");
  const type = parseMachineType(machine.type);
  validateCluster(cluster, isControlPlane(type), check);
  validateInstall(machine, check);
  validateHostDns(machine, check);
  if (type !== "unknown" && type !== machine.type) {
    check.warn(["machine", "type"], `use ${quote(type)} instead of ${quote(machine.type)} for machine type`);
  }
  if (machine.ca === undefined && (machine.acceptedCAs ?? []).length === 0) {
    check.error(["machine", "ca"], "issuing CA or some accepted CAs are required (.machine.ca, machine.acceptedCAs)");
  }
  roleRules[type](main, machine, check);
  validateNetwork(machine.network, check);
  validateMachineParts(machine, isControlPlane(type), check);
  validateKubeSpan(main, check);
  if (main.persist === false) check.error(["persist"], ".persist should be enabled");
}

const roleRules = {
  init: validateControlPlaneRole,
  controlplane: validateControlPlaneRole,
  worker: validateWorkerRole,
  unknown: (_main: MainConfig, machine: MachineSection, check: Check) =>
    check.error(["machine", "type"], `unknown machine type ${quote(machine.type)}`),
};

function validateControlPlaneRole({ cluster }: MainConfig, { ca }: MachineSection, check: Check): void {
  validateCni(cluster, check);
  if (ca === undefined) check.error(["machine", "ca"], "issuing CA is required (.machine.ca)");
  else if (ca.key === undefined) {
    check.error(["machine", "ca"], "issuing CA key is required for controlplane nodes (.machine.ca.key)");
  }
}

function validateWorkerRole({ cluster }: MainConfig, machine: MachineSection, check: Check): void {
  const shared = "virtual (shared) IP is not allowed on non-controlplane nodes";
  for (const [index, device] of (machine.network?.interfaces ?? []).entries()) {
    const path = ["machine", "network", "interfaces", index];
    if (device.vip !== undefined) check.error([...path, "vip"], shared);
    for (const [at, vlan] of (device.vlans ?? []).entries()) {
      if (vlan.vip !== undefined) check.error([...path, "vlans", at, "vip"], shared);
    }
  }
  if (machine.ca?.key !== undefined) {
    check.error(
      ["machine", "ca", "key"],
      "issuing Talos API CA key is not allowed on non-controlplane nodes (.machine.ca)",
    );
  }
  if (machine.ca !== undefined && machine.ca.crt === undefined && (machine.acceptedCAs ?? []).length === 0) {
    check.error(
      ["machine", "ca"],
      "trusted CA certificates are required on non-controlplane nodes (.machine.ca.crt, .machine.acceptedCAs)",
    );
  }
  if (cluster?.ca?.key !== undefined) {
    check.error(
      ["cluster", "ca", "key"],
      "issuing Kubernetes API CA key is not allowed on non-controlplane nodes (.cluster.ca)",
    );
  }
}

function validateInstall({ install }: MachineSection, check: Check): void {
  const path = ["machine", "install"];
  const extensions = new Set<string>();
  for (const [index, { image = "" }] of (install?.extensions ?? []).entries()) {
    if (extensions.has(image))
      check.error([...path, "extensions", index], `duplicate system extension ${quote(image)}`);
    extensions.add(image);
  }
  if (extensions.size > 0) {
    check.warn(
      [...path, "extensions"],
      ".machine.install.extensions is deprecated, please see https://docs.siderolabs.com/talos/latest/platform-specific-installations/boot-assets",
    );
  }
  if (!modeTraits[check.mode].requiresInstall) return;
  if (install === undefined) return check.error(path, `install instructions are required in ${quote(check.mode)} mode`);
  const named = install.diskSelector?.name !== undefined;
  if (named)
    check.error(
      [...path, "diskSelector", "name"],
      "install disk selector is invalid: selector on name is not supported",
    );
  if (install.disk === undefined && (install.diskSelector === undefined || named)) {
    check.error([...path, "disk"], "either install disk or diskSelector should be defined");
  }
  if ((install.extraKernelArgs ?? []).length > 0 && install.grubUseUKICmdline === true) {
    check.error(
      [...path, "extraKernelArgs"],
      "install.extraKernelArgs and install.grubUseUKICmdline can't be used together",
    );
  }
}

function validateHostDns({ features }: MachineSection, check: Check): void {
  const path = ["machine", "features", "hostDNS"];
  const enabled = features?.hostDNS?.enabled === true;
  const forwards = features?.hostDNS?.forwardKubeDNSToHost === true;
  if (modeTraits[check.mode].inContainer && !enabled) {
    check.error(
      [...path, "enabled"],
      "feature HostDNS should be enabled in container mode (.machine.features.hostDNS.enabled)",
    );
  }
  if (modeTraits[check.mode].inContainer && !forwards) {
    check.error(
      [...path, "forwardKubeDNSToHost"],
      "feature HostDNS should forward kube-dns to host in container mode (.machine.features.hostDNS.forwardKubeDNSToHost)",
    );
  }
  if (forwards && !enabled) {
    check.error(
      path,
      "feature hostDNS.forwardKubeDNSToHost requires hostDNS.enabled to be true (.machine.features.hostDNS)",
    );
  }
}
