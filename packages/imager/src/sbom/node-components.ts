import { isRecord } from "@talos-ts/base";
import { runTool } from "@talos-ts/host";
import type { Component } from "./component.ts";

/** Entries of `process.versions` that are interfaces or data formats, not programs. */
const notComponents: ReadonlySet<string> = new Set(["modules", "napi", "node"]);

/** Node.js and the libraries that are compiled into it, as the program itself tells them. */
export async function nodeComponents(node: string): Promise<Component[]> {
  const { stdout } = await runTool(node, ["-p", "JSON.stringify(process.versions)"]);
  const versions: unknown = JSON.parse(stdout);
  if (!isRecord(versions)) return [];
  const text = (value: unknown): string => (typeof value === "string" ? value : "");
  const parts = Object.entries(versions).filter(([name, version]) => !notComponents.has(name) && text(version) !== "");
  return [
    component("node", text(versions["node"]), "MIT"),
    ...parts.map(([name, version]) => component(`node/${name}`, text(version))),
  ];
}

function component(name: string, version: string, license?: string): Component {
  const purl = `pkg:generic/${name}@${encodeURIComponent(version)}`;
  return { name, version, purl, ...(license !== undefined && { license }) };
}
