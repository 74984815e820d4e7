import { hostPort } from "@talos-ts/base";

/** URLs under which a member is reached. */
export function memberUrls(addresses: readonly string[], port: number): readonly string[] {
  return addresses.map((address) => `https://${hostPort(address, port)}`);
}
