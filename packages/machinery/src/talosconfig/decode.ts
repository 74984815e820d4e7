import { OsError } from "@talos-ts/base";
import { parseDocument } from "yaml";
import { emptyConfig, emptyContext, type TalosAuth, type TalosConfig, type TalosContext } from "./model.ts";
import { createYamlReader, type YamlReader } from "./yaml-reader.ts";

/**
 * Reads the text of a talosconfig. An empty text is an empty config; the retired field `target` becomes an endpoint.
 *
 * @param source Names the text in errors, usually its path.
 * @throws `talosconfig/bad-yaml` when it is not YAML of that shape.
 */
export function decodeTalosconfig(text: string, source = "talosconfig"): TalosConfig {
  const fail = (message: string): OsError =>
    new OsError({
      kind: "invalid-argument",
      code: "talosconfig/bad-yaml",
      message: `Cannot read ${source}: ${message}`,
      next: "talosctl config contexts --talosconfig <another file>",
    });
  const document = parseDocument(text, { intAsBigInt: true });
  const [error] = document.errors;
  if (error !== undefined) throw fail(error.message.split("\n")[0] ?? error.message);

  const read = createYamlReader(document, fail);
  const fields = read.mapping(document.contents, "the file");
  if (fields === undefined) return emptyConfig;
  const contexts = read.mapping(fields.get("contexts"), "contexts") ?? new Map<string, unknown>();
  return {
    context: read.text(fields.get("context"), "context"),
    contexts: new Map([...contexts].map(([name, node]) => [name, decodeContext(node, `contexts.${name}`, read)])),
    extra: read.rest(fields, ["context", "contexts"]),
  };
}

const contextFields = ["target", "endpoints", "nodes", "ca", "crt", "key", "auth", "cluster"];

function decodeContext(node: unknown, path: string, read: YamlReader): TalosContext {
  const fields = read.mapping(node, path);
  if (fields === undefined) return emptyContext;
  const text = (key: string): string => read.text(fields.get(key), `${path}.${key}`);
  const list = (key: string): string[] => read.list(fields.get(key), `${path}.${key}`);
  const target = text("target");
  return {
    endpoints: [...list("endpoints"), ...(target === "" ? [] : [target])],
    nodes: list("nodes"),
    ca: text("ca"),
    crt: text("crt"),
    key: text("key"),
    auth: decodeAuth(fields.get("auth"), `${path}.auth`, read),
    cluster: text("cluster"),
    extra: read.rest(fields, contextFields),
  };
}

function decodeAuth(node: unknown, path: string, read: YamlReader): TalosAuth {
  const fields = read.mapping(node, path);
  if (fields === undefined) return emptyContext.auth;
  const basic = read.mapping(fields.get("basic"), `${path}.basic`);
  const siderov1 = read.mapping(fields.get("siderov1"), `${path}.siderov1`);
  const text = (from: ReadonlyMap<string, unknown>, key: string): string => read.text(from.get(key), `${path}.${key}`);
  return {
    ...(basic && { basic: { username: text(basic, "username"), password: text(basic, "password") } }),
    ...(siderov1 && { siderov1: { identity: text(siderov1, "identity") } }),
    extra: read.rest(fields, ["basic", "siderov1"]),
  };
}
