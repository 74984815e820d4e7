import { OsError } from "@talos-ts/base";
import { runTool } from "@talos-ts/host";

/** An empty file system to make. */
export interface FormatRequest {
  readonly device: string;
  readonly filesystem: string;
  /** Empty for none. */
  readonly label: string;
  readonly sizeBytes: number;
}

/** Makes an empty file system on a device. */
export type Format = (request: FormatRequest, signal: AbortSignal) => Promise<void>;

/** Below this size `mkfs.xfs` wants to be told that it is meant. */
const smallBytes = 300 * 1024 ** 2;

/** Programs of the image by file system, with their arguments before the device. */
const programs: Readonly<Record<string, (request: FormatRequest) => readonly string[]>> = {
  xfs: ({ label, sizeBytes }) => [
    "/usr/sbin/mkfs.xfs",
    "-f",
    "-q",
    "-K",
    ...(label === "" ? [] : ["-L", label]),
    ...(sizeBytes < smallBytes ? ["--unsupported"] : []),
  ],
  ext4: ({ label }) => ["/usr/sbin/mkfs.ext4", "-F", "-q", ...(label === "" ? [] : ["-L", label])],
};

/** Makes a file system with the program of the image. @throws OsError `volume/unsupported-filesystem` */
export const makeFileSystem: Format = async (request, signal) => {
  const [program, ...flags] = programs[request.filesystem]?.(request) ?? [];
  if (program === undefined) throw unsupported(request);
  await runTool(program, [...flags, request.device], { signal });
};

function unsupported({ device, filesystem }: FormatRequest): OsError {
  return new OsError({
    kind: "unimplemented",
    code: "volume/unsupported-filesystem",
    message: `Cannot make a file system on "${device}": expected ${Object.keys(programs).join(" or ")}, got "${filesystem}"`,
  });
}
