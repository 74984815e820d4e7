import { readFile } from "node:fs/promises";
import type { Component } from "./component.ts";
import { goBuildInfo } from "./go-build-info.ts";

/** Go modules of programs, and the standard library they were compiled with. Files that are no Go programs add nothing. */
export async function goComponents(programs: readonly string[]): Promise<Component[]> {
  const components: Component[] = [];
  for (const program of programs) {
    const info = goBuildInfo(await readFile(program));
    if (info === undefined) continue;
    // A distribution appends its own words to the version, as in "go1.24.4 X:nocoverage".
    const compiler = info.goVersion.slice("go".length).split(" ")[0] ?? "";
    components.push({
      name: "stdlib",
      version: compiler,
      license: "BSD-3-Clause",
      purl: `pkg:golang/stdlib@${compiler}`,
    });
    for (const { path, version } of info.modules) {
      components.push({ name: path, version, purl: `pkg:golang/${path}@${encodeURIComponent(version)}` });
    }
  }
  return components;
}
