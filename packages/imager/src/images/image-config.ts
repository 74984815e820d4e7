/** Describes how the program of an image is started, in the words of the OCI image specification. */
export interface ProcessConfig {
  readonly Entrypoint: readonly string[];
  readonly Cmd?: readonly string[];
  /** `user[:group]` in numbers. @default root */
  readonly User?: string;
  readonly WorkingDir?: string;
}

export interface ImageConfigInput {
  /** `amd64`, `arm64`. */
  readonly architecture: string;
  /** Seconds since 1970. */
  readonly created: number;
  readonly process: ProcessConfig;
  readonly labels: Readonly<Record<string, string>>;
  readonly diffIds: readonly string[];
}

const searchPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/** The configuration document of an image. */
export function imageConfig({ architecture, created, process, labels, diffIds }: ImageConfigInput): unknown {
  return {
    created: new Date(created * 1000).toISOString(),
    architecture,
    os: "linux",
    config: { Env: [`PATH=${searchPath}`], WorkingDir: "/", ...process, Labels: labels },
    rootfs: { type: "layers", diff_ids: diffIds },
  };
}
