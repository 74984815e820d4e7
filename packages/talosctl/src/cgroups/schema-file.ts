import { readFile } from "node:fs/promises";
import { isRecord, OsError } from "@talos-ts/base";
import { parse } from "yaml";
import { parseTemplate } from "../template/parse-template.ts";
import { renderTemplate } from "../template/render.ts";
import type { CgroupColumn } from "./presets.ts";
import { templateData } from "./template-data.ts";

/**
 * Reads columns from a schema in the format of Talos: `columns`, each with a `name` and a `template`.
 *
 * @throws {OsError} `cgroups/schema` when the file has no columns, or a template cannot be read
 */
export async function readSchemaFile(path: string): Promise<readonly CgroupColumn[]> {
  const text = await readFile(path, "utf8");
  const document = parseYaml(text, path);
  const columns = isRecord(document) ? document["columns"] : undefined;
  if (!Array.isArray(columns) || columns.length === 0) throw badSchema(path, "expected a list of columns");
  return columns.map((column: unknown, index) => {
    if (!isRecord(column) || typeof column["name"] !== "string" || typeof column["template"] !== "string")
      throw badSchema(path, `column ${String(index + 1)} has no name or no template`);
    const { name, template } = column;
    const nodes = explained(path, name, () => parseTemplate(template));
    return [
      name,
      (row) => explained(path, name, () => renderTemplate(nodes, templateData(row))),
    ] satisfies CgroupColumn;
  });
}

function parseYaml(text: string, path: string): unknown {
  try {
    return parse(text);
  } catch (err) {
    throw badSchema(path, OsError.from(err).message);
  }
}

function explained<T>(path: string, column: string, work: () => T): T {
  try {
    return work();
  } catch (err) {
    throw badSchema(path, `column ${column}: ${OsError.from(err).message}`);
  }
}

function badSchema(path: string, why: string): OsError {
  return new OsError({
    kind: "invalid-argument",
    code: "cgroups/schema",
    message: `error decoding schema file ${path}: ${why}`,
    next: "talosctl cgroups --help",
  });
}
