import { fromBinary } from "@bufbuild/protobuf";
import { DiskSpecSchema } from "@talos-ts/proto/resource/definitions/block";
import { Disk, type DiskSpec } from "../block/disk.ts";
import { celUnits } from "./cel-units.ts";
import { globFunction, selectorExpression, type Glob } from "./selector-expression.ts";

/** Reports whether a disk is chosen. @throws {OsError} `resource/expression-failed` */
export type DiskSelector = (disk: DiskSpec, isSystemDisk: boolean) => boolean;

/** Settings of `diskSelector`. */
export interface DiskSelectorOptions {
  readonly glob: Glob;
}

/**
 * Makes a selector of a CEL expression over `disk` and `system_disk`, with the function `glob` and units such as `GiB`.
 *
 * @throws {OsError} `resource/expression-failed` when the text is not CEL
 */
export function diskSelector(text: string, { glob }: DiskSelectorOptions): DiskSelector {
  const holds = selectorExpression(text, {
    messages: [DiskSpecSchema],
    functions: [globFunction(glob)],
    next: "talosctl get disks -o yaml",
  });
  return (disk, isSystemDisk) =>
    holds({ ...celUnits, disk: fromBinary(DiskSpecSchema, Disk.codec.encode(disk)), system_disk: isSystemDisk });
}
