/** Name of the files about a kind, without ending: `DHCPv4Config` → `dhcp-v4-config`. */
export function documentFileName(kind: string): string {
  return kind
    .replace("DHCPv", "DHCP-v")
    .replace("SideroLink", "Siderolink")
    .replace("HCloud", "Hcloud")
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1-$2")
    .replaceAll(/([A-Z])([A-Z][a-z])/g, "$1-$2")
    .toLowerCase();
}
