import type { HostnameStatusSpec, NodeAddressSpec } from "@talos-ts/machinery/resources/network";

/** Every name and address by which this node may be asked for. */
export interface SelfNames {
  readonly names: ReadonlySet<string>;
  setAddresses(spec: NodeAddressSpec | undefined): void;
  setHostname(spec: HostnameStatusSpec | undefined): void;
}

export function createSelfNames(): SelfNames {
  let addresses: readonly string[] = [];
  let hostnames: readonly string[] = [];
  let names: ReadonlySet<string> = new Set();
  const join = (): void => {
    names = new Set([...addresses, ...hostnames].filter((name) => name !== ""));
  };
  return {
    get names() {
      return names;
    },
    setAddresses(spec) {
      addresses = (spec?.addresses ?? []).map((address) => address.replace(/\/.*$/, ""));
      join();
    },
    setHostname(spec) {
      const { hostname = "", domainname = "" } = spec ?? {};
      hostnames = [hostname, domainname === "" ? hostname : `${hostname}.${domainname}`];
      join();
    },
  };
}
