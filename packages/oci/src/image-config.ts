import { isRecord } from "@talos-ts/base";
import { isDigest } from "./digest.ts";
import { parseObject } from "./manifest.ts";

/** Describes what an image says about the process in it, and the digests of its unpacked layers. */
export interface ImageConfig {
  readonly env: readonly string[];
  readonly entrypoint: readonly string[];
  readonly command: readonly string[];
  /** `user[:group]`, by name or number; empty is root. */
  readonly user: string;
  readonly workingDirectory: string;
  /** Digests of the layers as tar archives without compression, bottom first. */
  readonly diffIds: readonly string[];
  readonly labels: Readonly<Record<string, string>>;
}

/** Reads the configuration blob of an image. @throws data-loss */
export function parseImageConfig(bytes: Uint8Array): ImageConfig {
  const document = parseObject(bytes, "image configuration");
  const config = isRecord(document["config"]) ? document["config"] : {};
  const rootfs = isRecord(document["rootfs"]) ? document["rootfs"] : {};
  const labels = isRecord(config["Labels"]) ? config["Labels"] : {};
  return {
    env: texts(config["Env"]),
    entrypoint: texts(config["Entrypoint"]),
    command: texts(config["Cmd"]),
    user: typeof config["User"] === "string" ? config["User"] : "",
    workingDirectory: typeof config["WorkingDir"] === "string" ? config["WorkingDir"] : "",
    diffIds: texts(rootfs["diff_ids"]).filter(isDigest),
    labels: Object.fromEntries(texts(Object.keys(labels)).map((name) => [name, String(labels[name])])),
  };
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((entry): entry is string => typeof entry === "string") : [];
}
