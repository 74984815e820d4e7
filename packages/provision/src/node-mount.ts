import { OsError } from "@talos-ts/base";
import { isAbsolute } from "node:path";

/** A folder of the host, or memory, that every node sees. */
export interface NodeMount {
  readonly type: "bind" | "tmpfs";
  /** Folder or file of the host, by its full path; empty for memory. */
  readonly source: string;
  /** Full path in the node. */
  readonly target: string;
  readonly readonly: boolean;
}

/** Keys of docker's `--mount` that name the same. */
const names: Readonly<Record<string, "type" | "source" | "target" | "readonly">> = {
  type: "type",
  src: "source",
  source: "source",
  dst: "target",
  destination: "target",
  target: "target",
  ro: "readonly",
  readonly: "readonly",
};

/** Folders of a node in which the runtime can make a mount point. */
const writable = ["/var", "/opt", "/run", "/tmp"];

/** Mount point of system extensions, which the image has. */
const extensions = "/usr/local";

/**
 * Reads a mount as docker's `--mount` writes it: `type=bind,source=/src,target=/dst,readonly`.
 *
 * @throws OsError `provision/bad-mount`
 */
export function parseMount(text: string): NodeMount {
  const fields = new Map<string, string>();
  for (const part of text.split(",")) {
    const [, key = "", value = "true"] = /^([^=]*)(?:=(.*))?$/.exec(part) ?? [];
    const name = names[key.trim()];
    if (name === undefined) throw bad(text, `the keys type, source, target and readonly, not "${key}"`);
    fields.set(name, value);
  }
  const type = fields.get("type") ?? "bind";
  const [source = "", target = ""] = [fields.get("source"), fields.get("target")];
  if (type !== "bind" && type !== "tmpfs") throw bad(text, `type=bind or type=tmpfs, not "${type}"`);
  if (target !== extensions && !writable.some((folder) => target.startsWith(`${folder}/`))) {
    throw bad(text, `the target ${extensions}, or one below ${writable.join(", ")}: the rest of a node is read-only`);
  }
  if (type === "bind" && !isAbsolute(source)) throw bad(text, "a full path as source");
  if (type === "tmpfs" && source !== "") throw bad(text, "no source with type=tmpfs");
  const readonly = fields.get("readonly") ?? "false";
  if (!["true", "false", "1", "0"].includes(readonly)) throw bad(text, `readonly=true or readonly=false`);
  return { type, source, target, readonly: readonly === "true" || readonly === "1" };
}

const bad = (text: string, expected: string): OsError =>
  new OsError({
    kind: "invalid-argument",
    code: "provision/bad-mount",
    message: `Cannot mount "${text}": expected ${expected}`,
    next: "talosctl cluster create --mount type=bind,source=/srv,target=/var/mnt/srv",
  });
