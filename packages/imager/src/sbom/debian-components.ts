import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { PinnedPackage } from "../packages/resolve-packages.ts";
import type { Component } from "./component.ts";
import { debianLicense } from "./debian-license.ts";

/** Name of the file beside a package's licence that lists the source packages linked statically into its programs. */
export const builtUsingFile = "built-using";

/** Folder of what a package says of itself. */
export const documentFolder = (name: string): string => `usr/share/doc/${name}`;

/** Components of Debian: the packages, and the source packages that are linked statically into their programs. */
export async function debianComponents(
  tree: string,
  packages: readonly PinnedPackage[],
  architecture: string,
): Promise<Component[]> {
  const components: Component[] = [];
  for (const { name, version } of packages) {
    const read = (file: string): Promise<string> =>
      readFile(join(tree, documentFolder(name), file), "utf8").catch(() => "");
    const license = debianLicense(await read("copyright"));
    const purl = debianUrl(name, version, architecture);
    components.push({ name, version, purl, ...(license !== undefined && { license }) });
    for (const source of parseBuiltUsing(await read(builtUsingFile))) {
      components.push({ ...source, purl: debianUrl(source.name, source.version, "source") });
    }
  }
  return components;
}

/** Reads `name (= version), …`, the form of the control fields Built-Using and Static-Built-Using. */
function parseBuiltUsing(text: string): { readonly name: string; readonly version: string }[] {
  return [...text.matchAll(/([a-z0-9][a-z0-9+.-]+) \(= ([^)\s]+)\)/g)].map(([, name = "", version = ""]) => ({
    name,
    version,
  }));
}

function debianUrl(name: string, version: string, architecture: string): string {
  return `pkg:deb/debian/${encodeURIComponent(name)}@${encodeURIComponent(version)}?arch=${architecture}`;
}
