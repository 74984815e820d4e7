/** A whole configuration: the main document, if there is one, and all others in their order. */

import { OsError } from "@talos-ts/base";
import type { ClusterSection, MachineSection, MainConfig } from "./documents/v1alpha1/config.ts";
import type { DocumentSchema } from "./schema/document.ts";
import type { Path } from "./load/problem.ts";
import type { Source } from "../yaml/source.ts";

/** A place in the text of a configuration; line and column count from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** One document of a configuration: its kind and name, its value, and where it stands in the text. */
export interface ConfigDocument<T = unknown> {
  readonly schema: DocumentSchema<T>;
  /** `v1alpha1` for the main document. */
  readonly kind: string;
  /** Empty for kinds without a name. */
  readonly name: string;
  readonly value: T;
  /** Finds the position of a path in the source; line zero for documents that were not loaded. */
  readonly locate: (path: Path) => Position;
  /** Text and syntax tree that the document was read from; absent for documents made by a program. */
  readonly origin?: Origin | undefined;
}

/** A document as it was read, kept when its value changes. */
export interface Origin {
  readonly source: Source;
  /** Its number in the source, empty documents counted. */
  readonly index: number;
  readonly value: unknown;
}

/** A configuration: the main document, and the others in the order of the text. */
export interface Config {
  /** The main document first, then the others as they came. */
  readonly documents: readonly ConfigDocument[];
  /** The source exactly as it was given; absent once something was changed. */
  readonly source: string | undefined;
  /** The source that was loaded, also when something was changed since; absent for what a program made. */
  readonly origin: Source | undefined;
  readonly main: MainConfig | undefined;
  readonly machine: MachineSection | undefined;
  readonly cluster: ClusterSection | undefined;
}

const nowhere = (): Position => ({ line: 0, column: 0 });

/** A document made by a program. */
export function makeDocument<T>(
  schema: DocumentSchema<T>,
  value: T,
  locate: (path: Path) => Position = nowhere,
): ConfigDocument<T> {
  const name = schema.named ? ((value as { readonly name?: string }).name ?? "") : "";
  return { schema, kind: schema.kind, name, value, locate };
}

/** `BondConfig/bond0`, `ResolverConfig/` as in error messages. */
function identity(document: ConfigDocument): string {
  return `${document.kind}/${document.name}`;
}

/**
 * @throws {OsError} `config/duplicate-document`, `config/conflicting-documents`
 */
export function makeConfig(
  documents: readonly ConfigDocument[],
  { source, origin }: Partial<Pick<Config, "source" | "origin">> = {},
): Config {
  const conflict = findConflict(documents);
  if (conflict !== undefined) throw new OsError({ kind: "invalid-argument", ...conflict });
  const mainDocument = documents.find((document) => document.kind === "v1alpha1");
  const main = mainDocument?.value as MainConfig | undefined;
  const others = documents.filter((document) => document !== mainDocument);
  return {
    documents: mainDocument === undefined ? others : [mainDocument, ...others],
    source,
    origin,
    main,
    machine: main?.machine,
    cluster: main?.cluster,
  };
}

/** Two documents that cannot stand together: the same twice, or kinds that exclude each other under one name. */
export function findConflict(
  documents: readonly ConfigDocument[],
): { readonly code: string; readonly message: string; readonly details: { readonly index: number } } | undefined {
  const seen = new Set<string>();
  const refused = new Map<string, string>();
  for (const [index, document] of documents.entries()) {
    const id = identity(document);
    if (seen.has(id)) {
      const message = document.kind === "v1alpha1" ? "duplicate v1alpha1.Config" : `duplicate document: ${id}`;
      return { code: "config/duplicate-document", message, details: { index } };
    }
    const clash = [refused.get(id), ...document.schema.conflictsWith.map((kind) => `${kind}/${document.name}`)].find(
      (other) => other !== undefined && seen.has(other),
    );
    if (clash !== undefined) {
      return {
        code: "config/conflicting-documents",
        message: `conflicting documents: ${clash} and ${id}`,
        details: { index },
      };
    }
    seen.add(id);
    for (const kind of document.schema.conflictsWith) refused.set(`${kind}/${document.name}`, id);
  }
  return undefined;
}
