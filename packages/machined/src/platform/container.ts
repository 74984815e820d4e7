import { readFile } from "node:fs/promises";
import { gunzipSync } from "node:zlib";
import { OsError } from "@talos-ts/base";
import type { Platform } from "../platform.ts";

/** Largest configuration accepted after decompression: a bomb in the environment must not take the node down. */
const maxConfigBytes = 32 * 1024 * 1024;

export interface ContainerPlatformOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** @default {""} prefix of all files, for tests */
  readonly root?: string;
}

/** A node in a container: configured by its environment, named by `/etc/hostname`, resolving by `/etc/resolv.conf`. */
export function containerPlatform(options: ContainerPlatformOptions): Platform {
  const { env, root = "" } = options;
  const read = (path: string): Promise<string> => readFile(`${root}${path}`, "utf8").catch(() => "");
  return {
    name: "container",
    mode: "container",
    async configuration() {
      const userData = env["USERDATA"];
      if (userData === undefined || userData === "") return undefined;
      return decodeUserData(userData);
    },
    async network() {
      const hostname = (await read("/etc/hostname")).trim();
      const resolvers = (await read("/etc/resolv.conf"))
        .split("\n")
        .flatMap((line) => /^\s*nameserver\s+(\S+)/.exec(line)?.slice(1) ?? []);
      return { hostname: hostname === "" ? undefined : hostname, resolvers, instanceType: env["TALOSSKU"] };
    },
  };
}

/** Base64 of YAML, which may be compressed with gzip. */
export function decodeUserData(text: string): Buffer {
  const compact = text.replaceAll(/\s/g, "");
  const bytes = Buffer.from(compact, "base64");
  if (bytes.toString("base64").replaceAll("=", "") !== compact.replaceAll("=", "")) {
    throw new OsError({
      kind: "invalid-argument",
      code: "platform/userdata",
      message: "Cannot read the machine configuration from USERDATA: expected base64",
    });
  }
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  try {
    return gunzipSync(bytes, { maxOutputLength: maxConfigBytes });
  } catch (err) {
    throw new OsError({
      kind: "invalid-argument",
      code: "platform/userdata",
      message: "Cannot read the machine configuration from USERDATA: it starts like gzip but does not decompress",
      cause: err,
    });
  }
}
