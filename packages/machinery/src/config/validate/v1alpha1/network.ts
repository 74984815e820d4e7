/** `machine.network.interfaces`: each link alone, and links that share others. */

import type { MachineSection } from "../../documents/v1alpha1/config.ts";
import type { Path } from "../../load/problem.ts";
import { isAddress, isPrefix } from "@talos-ts/base/net";
import type { Check } from "../check.ts";
import { addressOrPrefixProblem, quote } from "../rules.ts";
import { validateBond } from "./bond.ts";
import { validateWireguard } from "./wireguard.ts";

type Network = NonNullable<MachineSection["network"]>;
export type Device = NonNullable<Network["interfaces"]>[number];

const exclusive = "config sections are mutually exclusive";

export function validateNetwork(network: Network | undefined, check: Check): void {
  const devices = network?.interfaces ?? [];
  const owners = findOwners(devices, check);
  for (const [index, device] of devices.entries()) {
    if (device.ignore === true) continue;
    const path = ["machine", "network", "interfaces", index];
    validateInterface(path, device, check);
    validateAddressing(path, device, owners, check);
    validateRoutes(path, device, check);
  }
}

/** Returns which bond or bridge each link belongs to. */
function findOwners(devices: readonly Device[], check: Check): ReadonlyMap<string, string> {
  const owners = new Map<string, string>();
  for (const [index, device] of devices.entries()) {
    const { interface: name = "", bond, bridge } = device;
    const path = ["machine", "network", "interfaces", index];
    if (bond !== undefined && bridge !== undefined) {
      check.error(path, `interface has both bridge and bond sections set ${quote(name)}: ${exclusive}`);
    }
    if ((bond?.interfaces ?? []).length > 0 && (bond?.deviceSelectors ?? []).length > 0) {
      check.error([...path, "bond"], `interface ${quote(name)} has both interfaces and selectors set: ${exclusive}`);
    }
    for (const member of bridge?.interfaces ?? bond?.interfaces ?? []) {
      const owner = owners.get(member);
      if (owner !== undefined && owner !== name) {
        check.error(
          path,
          `interface ${quote(member)} is declared as part of two separate links: ${quote(owner)} and ${quote(name)}`,
        );
      }
      owners.set(member, name);
    }
  }
  return owners;
}

function validateInterface(path: Path, device: Device, check: Check): void {
  const both = "[networking.os.device.interface], [networking.os.device.deviceSelector]";
  const { interface: name, deviceSelector: selector } = device;
  if (name === undefined && selector === undefined)
    check.error(path, `${both}: required either config section to be set`);
  if (name !== undefined && selector !== undefined) check.error(path, `${both}: ${exclusive}`);
  if (selector !== undefined && Object.keys(selector).length === 0) {
    check.error(
      [...path, "deviceSelector"],
      "[networking.os.device.deviceSelector]: config section should contain at least one field",
    );
  }
  if (device.bond !== undefined) validateBond([...path, "bond"], device.bond, check);
  if (device.wireguard !== undefined) validateWireguard([...path, "wireguard"], device.wireguard, check);
  validateVlans(path, device, check);
}

function validateVlans(path: Path, device: Device, check: Check): void {
  for (const [index, vlan] of (device.vlans ?? []).entries()) {
    const at = [...path, "vlans", index];
    const link = `${device.interface ?? ""}.${vlan.vlanId ?? 0}`;
    if ((vlan.addresses ?? []).length > 0 && vlan.cidr !== undefined) {
      check.error(at, `[networking.os.device.vlan] ${link}: vlan can't have both .cidr and .addresses set`);
    }
    checkAddresses(
      [...at, "cidr"],
      vlan.cidr === undefined ? [] : [vlan.cidr],
      `[networking.os.device.vlan.CIDR] ${link}`,
      check,
    );
    checkAddresses([...at, "addresses"], vlan.addresses ?? [], `[networking.os.device.vlan.addresses] ${link}`, check);
  }
}

function checkAddresses(path: Path, addresses: readonly string[], label: string, check: Check): void {
  for (const address of addresses) {
    const problem = addressOrPrefixProblem(address);
    if (problem !== undefined) check.error(path, `${label}: ${problem}`);
  }
}

function validateAddressing(path: Path, device: Device, owners: ReadonlyMap<string, string>, check: Check): void {
  const { interface: name = "", cidr, addresses = [], vip } = device;
  const addressed = device.dhcp === true || cidr !== undefined || addresses.length > 0 || vip !== undefined;
  if (owners.has(name) && addressed) {
    check.error(
      path,
      `[networking.os.device] ${quote(name)}: bonded/bridged interface shouldn't have any addressing methods configured`,
    );
  }
  if (addresses.length > 0 && cidr !== undefined) {
    check.error(path, `[networking.os.device] ${quote(name)}: interface can't have both .cidr and .addresses set`);
  }
  if (cidr !== undefined) {
    checkAddresses([...path, "cidr"], [cidr], `[networking.os.device.CIDR] ${quote(name)}`, check);
    check.warn(
      [...path, "cidr"],
      `${quote(name)}: machine.network.interface.cidr is deprecated, please use machine.network.interface.addresses`,
    );
  }
  checkAddresses([...path, "addresses"], addresses, `[networking.os.device.addresses] ${quote(name)}`, check);
  if (vip !== undefined && !isAddress(vip.ip ?? "")) {
    check.error([...path, "vip", "ip"], `[networking.os.device.vip] failed to parse ${quote(vip.ip)} as IP address`);
  }
}

function validateRoutes(path: Path, device: Device, check: Check): void {
  for (const [index, route] of (device.routes ?? []).entries()) {
    const at = [...path, "routes", index];
    const rules = [
      ["network", route.network, isPrefix],
      ["gateway", route.gateway, isAddress],
      ["source", route.source, isAddress],
    ] as const;
    for (const [field, value, isValid] of rules) {
      if (value === undefined || isValid(value)) continue;
      check.error(
        [...at, field],
        `[networking.os.device.route[${index}].${field}] ${quote(value)}: invalid network address`,
      );
    }
    if (route.gateway === undefined && route.network === undefined) {
      check.error(at, `[networking.os.device.route[${index}]]: either network or gateway should be set`);
    }
  }
}
