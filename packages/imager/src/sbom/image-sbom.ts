import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { PinnedPackage } from "../packages/resolve-packages.ts";
import { cniPlugins, programs } from "../rootfs/image-contents.ts";
import { debianComponents } from "./debian-components.ts";
import { goComponents } from "./go-components.ts";
import { nodeComponents } from "./node-components.ts";
import { npmComponents } from "./npm-components.ts";
import { spdxDocument } from "./spdx-document.ts";

/** The bill of materials in the image. The machine reads every `*.spdx.json` beside it. */
export const sbomPath = "usr/share/spdx/talos.spdx.json";

export interface ImageParts {
  /** Assembled root file system. */
  readonly tree: string;
  readonly version: string;
  /** Debian's name of the architecture. */
  readonly architecture: string;
  readonly packages: readonly PinnedPackage[];
  /** The Node.js that the image's was made of; it must run on this host. */
  readonly node: string;
  /** Folders of the npm packages that are in the bundles. */
  readonly npmPackages: readonly string[];
  readonly createdSeconds: number;
}

/** Bill of materials of a root file system: Debian packages, Node.js, bundled npm packages, and modules of Go programs. */
export async function imageSbom(parts: ImageParts): Promise<string> {
  const plugins = await readdir(join(parts.tree, cniPlugins.to));
  const files = [...programs, ...plugins.map((name) => `${cniPlugins.to}/${name}`)];
  const components = await Promise.all([
    debianComponents(parts.tree, parts.packages, parts.architecture),
    nodeComponents(parts.node),
    npmComponents(parts.npmPackages),
    goComponents(files.map((path) => join(parts.tree, path))),
  ]);
  const { version, createdSeconds } = parts;
  return spdxDocument({ name: "talos", version, createdSeconds, components: components.flat() });
}
