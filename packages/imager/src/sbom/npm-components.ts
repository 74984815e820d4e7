import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { isRecord } from "@talos-ts/base";
import type { Component } from "./component.ts";

/** Folder of the npm package a bundled file belongs to; undefined for sources of this repository. */
export function packageFolder(file: string): string | undefined {
  return /^(.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file)?.[0];
}

/** npm packages by their folders. */
export async function npmComponents(folders: readonly string[]): Promise<Component[]> {
  return Promise.all(
    folders.map(async (folder) => {
      const manifest: unknown = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
      const field = (name: string): string => {
        const value = isRecord(manifest) ? manifest[name] : undefined;
        return typeof value === "string" ? value : "";
      };
      const [name, version, license] = [field("name"), field("version"), field("license")];
      const purl = `pkg:npm/${name.replace("@", "%40")}@${version}`;
      return { name, version, purl, ...(license !== "" && { license }) };
    }),
  );
}
