/** Rules about the name of a document. */

import { parseAddress } from "../../schema/go-net.ts";
import type { Check } from "../../validate/check.ts";
import { failure } from "../../validate/rules.ts";

interface Named {
  readonly name?: string | undefined;
}

export function requireName({ name }: Named, check: Check, message = "name must be specified"): void {
  if (name === undefined) check.error(["name"], message);
}

/** For documents named after the address they are about. */
export function requireAddressName({ name }: Named, check: Check): void {
  if (name === undefined) return check.error(["name"], "name must be specified");
  const problem = failure(() => parseAddress(name));
  if (problem !== undefined) check.error(["name"], `name must be a valid IP address: ${problem}`);
}

/** Names of volumes become partition labels, behind a prefix of two characters. */
export function requireVolumeName({ name = "" }: Named, check: Check, limited = true): void {
  const longest = 34;
  if (name === "") check.error(["name"], "name is required");
  if (limited && (name === "" || name.length > longest)) {
    check.error(["name"], `name must be between 1 and ${longest} characters long`);
  }
  if (!/^[a-zA-Z0-9-]*$/.test(name)) {
    check.error(["name"], "name can only contain lowercase and uppercase ASCII letters, digits, and hyphens");
  }
}
