import { describePointer } from "@talos-ts/cosi";
import type { FieldChange } from "./diff-fields.ts";
import type { ResourceChange } from "./diff-outputs.ts";
import type { Plan } from "./plan-change.ts";

const signs = { created: "+", updated: "~", destroyed: "-" } as const;

/**
 * A plan for people:
 *
 *     Plan: 1 resource changes, no reboot needed
 *       ~ HostnameSpecs.net.talos.dev(network/hostname)
 *           hostname: a → b
 */
export function renderPlan({ changes, failures, rebootPaths }: Plan): string {
  const reboot = rebootPaths.length === 0 ? "no reboot needed" : `reboot needed for ${rebootPaths.join(", ")}`;
  return [
    `Plan: ${countChanges(changes.length)}, ${reboot}`,
    ...changes.flatMap(renderChange),
    ...failures.map(({ controller, reason }) => `  ! ${controller} would fail: ${reason}`),
  ].join("\n");
}

function countChanges(count: number): string {
  if (count === 0) return "No resources change";
  return count === 1 ? "1 resource changes" : `${String(count)} resources change`;
}

function renderChange({ change, pointer, fields }: ResourceChange): readonly string[] {
  const title = `  ${signs[change]} ${describePointer(pointer)}`;
  if (fields === undefined) return [`${title} (values are not shown)`];
  const full = fields.filter(({ before, after }) => !isEmpty(before) || !isEmpty(after));
  const told = change === "destroyed" ? [] : full.length > 0 ? full : fields.filter(isSetting);
  return [title, ...told.map((field) => `      ${renderField(field, change)}`)];
}

function renderField({ path, before, after }: FieldChange, change: ResourceChange["change"]): string {
  const label = path === "" ? "" : `${path}: `;
  return change === "created" ? `${label}${inline(after)}` : `${label}${inline(before)} → ${inline(after)}`;
}

/** Fields that say nothing neither before nor after need not be read. */
function isEmpty(value: unknown): boolean {
  return Array.isArray(value) ? value.length === 0 : !value;
}

/** A switch that is off, or a zero, says something where nothing else does: `features.tx-tcp-segmentation: false`. */
function isSetting({ before, after }: FieldChange): boolean {
  return [before, after].some((value) => value === false || value === 0);
}

/** One line for any value, in the manner of YAML. */
function inline(value: unknown): string {
  if (value === undefined) return "(none)";
  if (Array.isArray(value)) return `[${value.map(inline).join(", ")}]`;
  if (typeof value === "string") return /^\S(?:[^\n]*\S)?$/.test(value) ? value : JSON.stringify(value);
  if (typeof value !== "object" || value === null) return String(value);
  return `{${Object.entries(value)
    .map(([key, item]) => `${key}: ${inline(item)}`)
    .join(", ")}}`;
}
