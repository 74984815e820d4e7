import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { buildGoModule } from "../../scripts/lib/go-module.ts";

/** Report of the Go program about one node. */
export interface NodeReport {
  readonly node: string;
  readonly version: string;
  readonly platform: string;
  readonly services: Readonly<Record<string, string>>;
  readonly logBytes: number;
  readonly events: readonly string[];
  readonly definitions: number;
  readonly hostname: string;
  readonly addresses: readonly string[];
  readonly stage: string;
  readonly watched: readonly string[];
}

/** Calls every node through the public Go client module, as any Go program would. */
export async function runGoClient(talosconfig: string, nodes: readonly string[]): Promise<readonly NodeReport[]> {
  const program = await buildGoModule(join(import.meta.dirname, "go-talos"));
  const args = ["-talosconfig", talosconfig, "-nodes", nodes.join(",")];
  const { stdout } = await promisify(execFile)(program, args, { timeout: 90_000 });
  return stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as NodeReport);
}
