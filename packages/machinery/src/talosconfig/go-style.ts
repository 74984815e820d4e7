import { Document, isScalar, parseDocument, Scalar, visit } from "yaml";

/**
 * YAML as Go's library writes it with an indent of four, so that a file does not change when both clients take turns:
 * double quotes where the text would otherwise be read as another type, single quotes where only its signs demand it.
 */
export function stringifyGoStyle(value: unknown): string {
  const document = new Document(value, { aliasDuplicateObjects: false });
  visit(document, {
    Scalar(_key, node) {
      if (typeof node.value === "string" && isAmbiguous(node.value)) node.type = Scalar.QUOTE_DOUBLE;
    },
  });
  return document.toString({ indent: 4, lineWidth: 0, singleQuote: true });
}

const simple = /^[\w.+:~-]+$/;

/** Whether some version of YAML reads the plain text as a number, a boolean, a null, a time or a merge. */
function isAmbiguous(text: string): boolean {
  if (text === "" || text === "<<") return true;
  return simple.test(text) && (["1.1", "1.2"] as const).some((version) => readsAsOther(text, version));
}

function readsAsOther(text: string, version: "1.1" | "1.2"): boolean {
  const { contents } = parseDocument(text, { version, logLevel: "silent" });
  return isScalar(contents) && typeof contents.value !== "string";
}
