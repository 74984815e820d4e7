import type { Config } from "../config.ts";
import type { Path, Problem } from "../load/problem.ts";
import type { Type } from "../schema/type.ts";
import { documentLabel } from "./validate.ts";

/** Fields in use that have been replaced, with what to use instead. Apart from validation, whose warnings clients know. */
export function findDeprecations(config: Config): readonly Problem[] {
  const problems: Problem[] = [];
  for (const document of config.documents) {
    const label = documentLabel(document);
    for (const { path, message } of deprecated(document.schema.type, document.value, [])) {
      const place = document.locate(path);
      problems.push({ code: "config/deprecated", severity: "warning", document: label, path, message, ...place });
    }
  }
  return problems;
}

interface Finding {
  readonly path: Path;
  readonly message: string;
}

function* deprecated(type: Type<unknown>, value: unknown, path: Path): Generator<Finding> {
  if (type.is === "list") {
    for (const [index, item] of (value as readonly unknown[]).entries())
      yield* deprecated(type.item, item, [...path, index]);
  } else if (type.is === "map") {
    for (const [key, item] of Object.entries(value as object)) yield* deprecated(type.item, item, [...path, key]);
  } else if (type.is === "object") {
    for (const [key, item] of Object.entries(value as object)) {
      const field = type.fields[key];
      if (field === undefined || item === undefined) continue;
      if (field.deprecated !== undefined) yield { path: [...path, key], message: `deprecated, ${field.deprecated}` };
      yield* deprecated(field.type, item, [...path, key]);
    }
  }
}
