import { structuredPatch } from "diff";
import { redactConfig } from "../access/redact.ts";
import type { Config } from "../config.ts";
import { encodeConfig } from "../encode/encode.ts";

/** Larger texts are not compared: the comparison would take longer than anyone waits. */
const maxLines = 75_000;

/** Settings of a configuration diff. */
export interface DiffOptions {
  /** Shown in place of secrets. Two secrets that differ then look the same. */
  readonly redact?: string;
}

/** Returns what changed, as a unified diff of the canonical forms; empty when nothing did. */
export function diffConfigs(
  oldConfig: Config | undefined,
  newConfig: Config | undefined,
  options: DiffOptions = {},
): string {
  const [before, after] = [oldConfig, newConfig].map((config) => {
    if (config === undefined) return "";
    return encodeConfig(options.redact === undefined ? config : redactConfig(config, options.redact));
  });
  return unifiedDiff(before ?? "", after ?? "");
}

/** Compares two texts line by line in the unified format (diff(1)). */
export function unifiedDiff(before: string, after: string): string {
  if (before === after) return "";
  const [oldLines, newLines] = [before, after].map((text) => text.split("\n").length - 1);
  if ((oldLines ?? 0) + (newLines ?? 0) > maxLines)
    return `@@ -1,${oldLines} +1,${newLines} @@ diff too large to display\n`;
  const { hunks } = structuredPatch("a", "b", before, after, undefined, undefined, { context: 3 });
  const body = hunks.map(
    (hunk) => `@@ -${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@\n${hunk.lines.join("\n")}\n`,
  );
  return `--- a\n+++ b\n${body.join("")}`;
}
