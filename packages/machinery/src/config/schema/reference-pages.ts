import type { DocumentSchema } from "./document.ts";
import { documentFileName } from "./document-file-name.ts";
import { referenceIndex, referencePage } from "./reference.ts";

/**
 * The reference of configurations: text by file name.
 *
 * @param example the YAML shown for the kind with this file name
 */
export function referencePages(
  schemas: readonly DocumentSchema[],
  example: (fileName: string) => string,
): ReadonlyMap<string, string> {
  const fileOf = ({ kind }: DocumentSchema): string => `${documentFileName(kind)}.md`;
  return new Map([
    ["README.md", referenceIndex(schemas, fileOf)],
    ...schemas.map(
      (schema) => [fileOf(schema), referencePage(schema, example(documentFileName(schema.kind)))] as const,
    ),
  ]);
}
