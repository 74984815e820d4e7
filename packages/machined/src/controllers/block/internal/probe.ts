import { isCode, OsError } from "@talos-ts/base";
import { runTool } from "@talos-ts/host";

/** Fields that blkid(8) finds on a device; those it does not find are absent. */
export type ProbeResult = Readonly<
  Partial<
    Record<
      | "TYPE"
      | "UUID"
      | "LABEL"
      | "BLOCK_SIZE"
      | "FSBLOCKSIZE"
      | "FSSIZE"
      | "PTTYPE"
      | "PTUUID"
      | "PART_ENTRY_NAME"
      | "PART_ENTRY_UUID"
      | "PART_ENTRY_TYPE"
      | "PART_ENTRY_NUMBER",
      string
    >
  >
>;

/** Looks at the content of a device; empty when there is nothing that is known. */
export type Probe = (path: string, signal: AbortSignal) => Promise<ProbeResult>;

/** Exit status of blkid for a device without any known content. */
const nothingFound = 2;

/** Probes with the program of the image, past its cache. */
export const blkid: Probe = async (path, signal) => {
  try {
    const { stdout } = await runTool("/usr/sbin/blkid", ["--probe", "--output", "export", path], { signal });
    return parseExport(stdout);
  } catch (err) {
    if (isCode(err, "tool/failed") && err instanceof OsError && err.details["status"] === nothingFound) return {};
    throw err;
  }
};

/** Parses `NAME=value` lines, in which blkid puts a backslash before special characters. */
export function parseExport(text: string): ProbeResult {
  const pairs = text.split("\n").flatMap((line) => {
    const at = line.indexOf("=");
    return at < 0 ? [] : [[line.slice(0, at), line.slice(at + 1).replaceAll(/\\(.)/g, "$1")]];
  });
  return Object.fromEntries(pairs) as ProbeResult;
}
