import { isAbsolute } from "node:path";
import { describeError, isRecord, OsError } from "@talos-ts/base";
import { parse } from "yaml";
import type { OciMount } from "../containerd/oci-spec.ts";

/** Conditions of the network that a service can wait for. */
const networkStatuses = ["addresses", "connectivity", "hostname", "etcfiles"] as const;
export type NetworkDependency = (typeof networkStatuses)[number];

/** Dependency that a service waits for: exactly one thing each. */
export type ExtensionDependency =
  | { readonly kind: "service"; readonly id: string }
  | { readonly kind: "path"; readonly path: string }
  | { readonly kind: "network"; readonly statuses: readonly NetworkDependency[] }
  | { readonly kind: "time" }
  | { readonly kind: "configuration" };

const restarts = { always: "forever", never: "once", untilSuccess: "until-success" } as const;

/** A service that a system extension brings, as its file in `/usr/local/etc/containers` describes it. */
export interface ExtensionServiceSpec {
  readonly name: string;
  readonly restart: (typeof restarts)[keyof typeof restarts];
  readonly depends: readonly ExtensionDependency[];
  readonly container: {
    readonly entrypoint: string;
    readonly args: readonly string[];
    /** As `NAME=value`. */
    readonly environment: readonly string[];
    readonly environmentFile: string | undefined;
    readonly mounts: readonly OciMount[];
    readonly writableRoot: boolean;
    readonly writableSysfs: boolean;
    readonly rootfsPropagation: "shared" | "slave" | "private" | undefined;
    /** `undefined` keeps the usual ones. */
    readonly maskedPaths: readonly string[] | undefined;
    readonly readonlyPaths: readonly string[] | undefined;
  };
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads the description of an extension service.
 *
 * @throws OsError `extension/invalid` with everything that is wrong, in the words of Talos
 */
export function parseExtensionService(text: string, file: string): ExtensionServiceSpec {
  const problems: string[] = [];
  const root = record(parseYaml(text, file));
  const container = record(root["container"]);
  const security = record(container["security"]);
  const name = textOf(root["name"]);
  const restart = textOf(root["restart"]);
  if (!/^[-_a-z0-9]+$/.test(name)) problems.push(`name ${JSON.stringify(name)} is invalid`);
  if (!isRestart(restart)) problems.push(`restart kind is invalid: ${restart}`);
  if (textOf(container["entrypoint"]) === "") problems.push("container endpoint can't be empty");
  const depends = listOf(root["depends"]).flatMap((entry) => dependency(record(entry), problems));
  const propagation = textOf(security["rootfsPropagation"]);
  if (!["", "shared", "slave", "private"].includes(propagation)) {
    problems.push(`rootfs propagation is invalid: ${propagation}`);
  }
  if (problems.length > 0 || !isRestart(restart)) throw invalid(file, problems.join(", "));
  return {
    name,
    restart: restarts[restart],
    depends,
    container: {
      entrypoint: textOf(container["entrypoint"]),
      args: textsOf(container["args"]) ?? [],
      environment: textsOf(container["environment"]) ?? [],
      environmentFile: optionalText(container["environmentFile"]),
      mounts: listOf(container["mounts"]).map((entry) => mountOf(record(entry))),
      writableRoot: security["writeableRootfs"] === true,
      writableSysfs: security["writeableSysfs"] === true,
      rootfsPropagation: propagation === "" ? undefined : (propagation as "shared" | "slave" | "private"),
      maskedPaths: textsOf(security["maskedPaths"]),
      readonlyPaths: textsOf(security["readonlyPaths"]),
    },
  };
}

function dependency(entry: Fields, problems: string[]): ExtensionDependency[] {
  const statuses = textsOf(entry["network"]) ?? [];
  const found: ExtensionDependency[] = [];
  if (textOf(entry["service"]) !== "") found.push({ kind: "service", id: textOf(entry["service"]) });
  const path = textOf(entry["path"]);
  if (path !== "") {
    if (!isAbsolute(path)) problems.push(`path is not absolute: ${JSON.stringify(path)}`);
    found.push({ kind: "path", path });
  }
  for (const status of statuses.filter((status) => !isNetworkStatus(status))) {
    problems.push(`invalid network dependency: ${status}`);
  }
  if (statuses.length > 0) found.push({ kind: "network", statuses: statuses.filter(isNetworkStatus) });
  if (entry["time"] === true) found.push({ kind: "time" });
  if (entry["configuration"] === true) found.push({ kind: "configuration" });
  if (found.length === 0) problems.push("no dependency specified");
  if (found.length > 1) problems.push("more than a single dependency is set");
  return found;
}

function mountOf(entry: Fields): OciMount {
  return {
    source: textOf(entry["source"]),
    destination: textOf(entry["destination"]),
    type: textOf(entry["type"]),
    options: textsOf(entry["options"]) ?? [],
  };
}

function parseYaml(text: string, file: string): unknown {
  try {
    return parse(text);
  } catch (err) {
    throw invalid(file, describeError(err), err);
  }
}

function invalid(file: string, why: string, cause?: unknown): OsError {
  return new OsError({
    kind: "invalid-argument",
    code: "extension/invalid",
    message: `Cannot load the extension service "${file}": ${why}`,
    cause,
  });
}

const isRestart = (text: string): text is keyof typeof restarts => Object.hasOwn(restarts, text);
const isNetworkStatus = (text: string): text is NetworkDependency =>
  (networkStatuses as readonly string[]).includes(text);
const record = (value: unknown): Fields => (isRecord(value) ? value : {});
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
const optionalText = (value: unknown): string | undefined => (textOf(value) === "" ? undefined : textOf(value));
const textsOf = (value: unknown): readonly string[] | undefined =>
  Array.isArray(value) ? value.map((item) => String(item)) : undefined;
