/** The two kinds of patches. */

import type { Operation } from "rfc6902";
import type { ConfigDocument } from "../config.ts";
import type { Deletion } from "./deletion.ts";

/** A part of a configuration that is merged into it, with statements about what to delete. */
export interface StrategicPatch {
  readonly kind: "strategic";
  /** Deletions and documents in the order they are applied. */
  readonly steps: readonly (Deletion | ConfigDocument)[];
}

/** Operations of RFC 6902; only for a configuration of one document. */
export interface JsonPatch {
  readonly kind: "json6902";
  readonly operations: readonly Operation[];
}

/** A patch of a configuration: strategic merge, or JSON patch (RFC 6902). */
export type Patch = StrategicPatch | JsonPatch;
