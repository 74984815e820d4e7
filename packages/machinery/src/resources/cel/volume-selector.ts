import { fromBinary } from "@bufbuild/protobuf";
import { DiscoveredVolumeSpecSchema, DiskSpecSchema } from "@talos-ts/proto/resource/definitions/block";
import { DiscoveredVolume, type DiscoveredVolumeSpec } from "../block/discovered-volume.ts";
import { Disk, type DiskSpec } from "../block/disk.ts";
import { celUnits } from "./cel-units.ts";
import { selectorExpression } from "./selector-expression.ts";

/** Reports whether a volume is chosen, with the disk that it is on. @throws {OsError} `resource/expression-failed` */
export type VolumeSelector = (volume: DiscoveredVolumeSpec, disk: DiskSpec) => boolean;

/**
 * Makes a selector of a CEL expression over `volume` and `disk`, with units such as `GiB`.
 *
 * @throws {OsError} `resource/expression-failed` when the text is not CEL
 */
export function volumeSelector(text: string): VolumeSelector {
  const holds = selectorExpression(text, {
    messages: [DiscoveredVolumeSpecSchema, DiskSpecSchema],
    functions: [],
    next: "talosctl get discoveredvolumes -o yaml",
  });
  return (volume, disk) =>
    holds({
      ...celUnits,
      volume: fromBinary(DiscoveredVolumeSpecSchema, DiscoveredVolume.codec.encode(volume)),
      disk: fromBinary(DiskSpecSchema, Disk.codec.encode(disk)),
    });
}
