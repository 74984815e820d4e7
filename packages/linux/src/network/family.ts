import { isIP } from "node:net";
import { OsError } from "@talos-ts/base";

/** Address families by their kernel numbers (`AF_INET`, `AF_INET6`). */
export const families = { inet4: 2, inet6: 10 } as const;

/** Name of an address family. */
export type Family = keyof typeof families;

/** Gives the family of an address. @throws OsError `network/bad-address` */
export function familyOf(address: string): Family {
  const version = isIP(address);
  if (version === 4) return "inet4";
  if (version === 6) return "inet6";
  throw new OsError({
    kind: "invalid-argument",
    code: "network/bad-address",
    message: `Cannot read "${address}" as an IP address`,
  });
}
