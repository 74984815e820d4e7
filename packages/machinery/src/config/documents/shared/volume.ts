/** Provisioning of a volume. */

import { formatted } from "../../schema/scalars.ts";
import { boolean, string } from "../../schema/scalars.ts";
import { parseByteSize } from "../../schema/go-bytes.ts";
import { property, object, type Infer } from "../../schema/type.ts";
import type { Check } from "../../validate/check.ts";

/** A size, kept as written; a leading minus leaves that much free. */
function checkSize(text: string): string {
  parseByteSize(text.startsWith("-") ? text.slice(1) : text);
  return text;
}

function checkSizeOrShare(text: string): string {
  if (!text.includes("%")) return checkSize(text);
  const [, share = ""] = /^-?(.*)%$/s.exec(text) ?? [];
  if (share === "" || Number.isNaN(Number(share))) throw new Error(`invalid percentage value: ${text}`);
  if (Number(share) > 100 || Number(share) < 0) throw new Error(`percentage must be between 0 and 100, got ${share}`);
  return text;
}

const size = formatted("a size such as 10GiB", checkSize, { type: "string" });
const sizeOrShare = formatted("a size such as 10GiB or 50%", checkSizeOrShare, { type: "string" });

const diskSelector = object("block.DiskSelector", "Chooses a disk.", {
  match: property(string(), "CEL expression over disk and system_disk that is true for the disk.", {
    example: 'disk.transport == "nvme" && !system_disk',
  }),
});

export const provisioning = object("block.ProvisioningSpec", "How the volume is made.", {
  diskSelector: property(diskSelector, "Chooses the disk.", { inlineStruct: true }),
  grow: property(boolean, "Whether the volume grows to its largest size at every boot."),
  minSize: property(size, "Smallest size.", { example: "2.5GiB" }),
  maxSize: property(sizeOrShare, "Largest size; negative leaves that much of the disk free.", { example: "50GiB" }),
});

type Provisioning = Infer<typeof provisioning>;

export interface ProvisioningRules {
  readonly required: boolean;
  /** True when the volume has a size of its own, or takes the whole disk. */
  readonly sized: boolean;
}

export function validateProvisioning(spec: Provisioning | undefined, rules: ProvisioningRules, check: Check): void {
  const { diskSelector: selector, grow, minSize, maxSize } = spec ?? {};
  if (selector?.match !== undefined) {
    check.expression(["provisioning", "diskSelector", "match"], selector.match, "disk", "disk selector is invalid");
  } else if (rules.required) check.error(["provisioning"], "disk selector is required");
  if (!rules.sized) {
    if (minSize !== undefined || maxSize !== undefined || grow !== undefined) {
      check.error(["provisioning"], "min size, max size and grow are not supported");
    }
    return;
  }
  const absolute = maxSize !== undefined && !maxSize.includes("%") && !maxSize.startsWith("-");
  if (minSize !== undefined && absolute) {
    if (bytesOf(minSize) > bytesOf(maxSize))
      check.error(["provisioning", "minSize"], "min size is greater than max size");
  } else if (rules.required && minSize === undefined && maxSize === undefined) {
    check.error(["provisioning"], "min size or max size is required");
  }
  if (minSize?.startsWith("-") === true) check.error(["provisioning", "minSize"], "min size cannot be negative");
}

function bytesOf(text: string): number {
  return parseByteSize(text.startsWith("-") ? text.slice(1) : text);
}
