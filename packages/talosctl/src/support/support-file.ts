import type { Diagnostic } from "@talos-ts/machinery/resources/runtime";
import type { SpecOfType } from "@talos-ts/machinery/client/resources";
import type { ServiceInfo } from "@talos-ts/proto/machine/service";
import type { TimelineEntry } from "./timeline.ts";

/** A file of the bundle: where it stands, and how it comes about. `undefined` when there is nothing to write. */
export interface SupportFile {
  readonly name: string;
  readonly collect: (signal: AbortSignal) => Promise<string | Buffer | undefined>;
}

/** Facts of a node that the index page shows; files fill them while they are collected. */
export interface NodeFacts {
  readonly node: string;
  version: string;
  services: readonly ServiceInfo[];
  diagnostics: readonly (SpecOfType<typeof Diagnostic> & { readonly id: string })[];
  readonly timeline: TimelineEntry[];
  /** Number of resources by type. */
  readonly resources: Map<string, number>;
  readonly files: string[];
  readonly errors: { readonly source: string; readonly message: string }[];
}

export function createFacts(node: string): NodeFacts {
  return {
    node,
    version: "",
    services: [],
    diagnostics: [],
    timeline: [],
    resources: new Map(),
    files: [],
    errors: [],
  };
}
