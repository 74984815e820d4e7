import { isRecord, OsError } from "@talos-ts/base";
import type { SBOMItemSpec } from "@talos-ts/machinery/resources/runtime";

/** Names that stand for "nothing is known" in SPDX. */
const unstated: ReadonlySet<string> = new Set(["NOASSERTION", "NONE"]);

/**
 * Reads the packages of an SPDX JSON document.
 *
 * @throws OsError `sbom/invalid` when the text is no such document
 */
export function spdxItems(text: string, path: string, extension: boolean): SBOMItemSpec[] {
  const packages = parse(text, path)["packages"];
  if (!Array.isArray(packages)) throw invalid(path, 'expected a list "packages"');
  return packages.filter(isRecord).map((entry) => {
    const license = textOf(entry["licenseDeclared"]);
    const refs = Array.isArray(entry["externalRefs"]) ? entry["externalRefs"].filter(isRecord) : [];
    const locators = (kind: "cpe23Type" | "purl"): string[] =>
      refs.filter((ref) => ref["referenceType"] === kind).map((ref) => textOf(ref["referenceLocator"]));
    return {
      name: textOf(entry["name"]),
      version: textOf(entry["versionInfo"]),
      license: unstated.has(license) ? "" : license,
      cpes: locators("cpe23Type"),
      purls: locators("purl"),
      extension,
    };
  });
}

function parse(text: string, path: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    if (isRecord(value)) return value;
  } catch (err) {
    throw invalid(path, "it is no JSON", err);
  }
  throw invalid(path, "expected an object");
}

function invalid(path: string, why: string, cause?: unknown): OsError {
  return new OsError({
    kind: "data-loss",
    code: "sbom/invalid",
    message: `Cannot read the bill of materials "${path}": ${why}`,
    cause,
  });
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
