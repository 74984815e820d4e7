import { celEnv, celFunc, CelScalar, isCelError, parse, plan } from "@bufbuild/cel";
import { createRegistry, fromBinary } from "@bufbuild/protobuf";
import { OsError } from "@talos-ts/base";
import { DiskSpecSchema } from "@talos-ts/proto/resource/definitions/block";
import { Disk, type DiskSpec } from "../block/disk.ts";
import { celUnits } from "./cel-units.ts";

/** Reports whether a disk is chosen. @throws {OsError} `resource/expression-failed` */
export type DiskSelector = (disk: DiskSpec, isSystemDisk: boolean) => boolean;

/** Settings of `diskSelector`. */
export interface DiskSelectorOptions {
  /** The function `glob` of expressions: whether a text is like a pattern. */
  readonly glob: (pattern: string, text: string) => boolean;
}

/**
 * Makes a selector of a CEL expression over `disk` and `system_disk`, with the function `glob` and units such as `GiB`.
 *
 * @throws {OsError} `resource/expression-failed` when the text is not CEL
 */
export function diskSelector(text: string, { glob }: DiskSelectorOptions): DiskSelector {
  const evaluate = attempt(text, () => {
    const funcs = [
      celFunc("glob", [CelScalar.STRING, CelScalar.STRING], CelScalar.BOOL, (pattern, value) => glob(pattern, value)),
    ];
    return plan(celEnv({ registry: createRegistry(DiskSpecSchema), funcs }), parse(text));
  });
  return (disk, isSystemDisk) => {
    const message = fromBinary(DiskSpecSchema, Disk.codec.encode(disk));
    const result = attempt(text, () => evaluate({ ...celUnits, disk: message, system_disk: isSystemDisk }));
    if (isCelError(result)) throw failed(text, result);
    return result === true;
  };
}

function attempt<T>(text: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw failed(text, cause);
  }
}

function failed(text: string, cause: unknown): OsError {
  return new OsError({
    kind: "invalid-argument",
    code: "resource/expression-failed",
    message: `Evaluating ${JSON.stringify(text)} failed: ${cause instanceof Error ? cause.message : String(cause)}`,
    cause,
    next: "talosctl get disks -o yaml",
  });
}
