import { imageContainerSpec } from "../containerd/image-spec.ts";
import { maskedPaths, readonlyPaths, readOnlyBind, type OciMount, type OciSpec } from "../containerd/oci-spec.ts";
import { configFileName, configFolder, serviceId } from "./paths.ts";
import type { ExtensionServiceSpec } from "./service-spec.ts";

/** Files and environment of an `ExtensionServiceConfig` document. */
export interface ExtensionServiceSettings {
  readonly files: readonly { readonly mountPath: string }[];
  /** As `NAME=value`. */
  readonly environment: readonly string[];
}

export interface ExtensionContainerOptions {
  readonly spec: ExtensionServiceSpec;
  /** Directory that becomes the root. */
  readonly rootfs: string;
  readonly settings: ExtensionServiceSettings | undefined;
  /** Variables of the environment file, as `NAME=value`. */
  readonly fileEnvironment: readonly string[];
  /** Capabilities that this machine can grant. */
  readonly grantable: readonly string[];
}

const noImage = { env: [], entrypoint: [], command: [], user: "", workingDirectory: "", diffIds: [], labels: {} };

/**
 * The container of an extension service: every capability and device, the network of the machine, the paths and mounts that its
 * description asks for. Later variables win: environment file, description, configuration.
 */
export function extensionContainerSpec(options: ExtensionContainerOptions): OciSpec {
  const { spec, rootfs, settings, grantable } = options;
  const { container } = spec;
  const files = (settings?.files ?? []).map(({ mountPath }) =>
    readOnlyBind(`${configFolder}/${spec.name}/${configFileName(mountPath)}`, mountPath),
  );
  const environment = [...options.fileEnvironment, ...container.environment, ...(settings?.environment ?? [])];
  const made = imageContainerSpec(
    {
      id: serviceId(spec.name),
      image: spec.name,
      args: [container.entrypoint, ...container.args],
      env: Object.fromEntries(environment.map(variable)),
      mounts: [...container.mounts, ...files],
      privileged: true,
      readonlyRoot: !container.writableRoot,
      cgroup: `/system/extensions/${spec.name}`,
      ...(container.rootfsPropagation !== undefined && { rootfsPropagation: container.rootfsPropagation }),
    },
    noImage,
    grantable,
  );
  // Extensions drive hardware and kernels in ways that no filter of ours foresees; Talos runs them without one, too.
  const { seccomp: _seccomp, ...linux } = made.linux;
  return {
    ...made,
    root: { ...made.root, path: rootfs },
    mounts: container.writableSysfs ? made.mounts : made.mounts.map(readOnlySysfs),
    linux: {
      ...linux,
      maskedPaths: container.maskedPaths ?? maskedPaths,
      readonlyPaths: container.readonlyPaths ?? readonlyPaths,
    },
  };
}

function readOnlySysfs(mount: OciMount): OciMount {
  if (mount.destination !== "/sys") return mount;
  return { ...mount, options: mount.options.map((option) => (option === "rw" ? "ro" : option)) };
}

function variable(entry: string): [string, string] {
  const [name = ""] = entry.split("=", 1);
  return [name, entry.slice(name.length + 1)];
}

/** Reads an environment file: `NAME=value` lines, with comments, blank lines, `export` and simple quotes. */
export function parseEnvironmentFile(text: string): string[] {
  return text.split("\n").flatMap((line) => {
    const match = /^\s*(?:export\s+)?([A-Za-z_]\w*)=(.*?)\s*$/.exec(line);
    if (match === null) return [];
    const [, name = "", value = ""] = match;
    const quoted = /^(["'])([^]*)\1$/.exec(value);
    return [`${name}=${quoted?.[2] ?? value}`];
  });
}
