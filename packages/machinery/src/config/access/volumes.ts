import type { provisioning } from "../documents/shared/volume.ts";
import { parseByteSize } from "../schema/go-bytes.ts";
import type { Infer } from "../schema/type.ts";

/** Sizes of a partition in bytes, as a `VolumeConfig` has them. */
export interface PartitionSizes {
  readonly minSize: number;
  /** 0 for all that is free. */
  readonly maxSize: number;
  /** Largest size as percents of what is free; 0 where `maxSize` holds. */
  readonly relativeMaxSize: number;
  /** True when the largest size is what is to be left free. */
  readonly negativeMaxSize: boolean;
}

/** With less, no volume of a user is made. */
const leastBytes = 100 * 1024 ** 2;

/** Sizes that a document asks for. */
export function partitionSizes({ minSize, maxSize = "" }: Infer<typeof provisioning>): PartitionSizes {
  const negativeMaxSize = maxSize.startsWith("-");
  const most = negativeMaxSize ? maxSize.slice(1) : maxSize;
  const isShare = most.endsWith("%");
  return {
    minSize: (minSize === undefined ? 0 : parseByteSize(minSize)) || leastBytes,
    maxSize: isShare || most === "" ? 0 : parseByteSize(most),
    relativeMaxSize: isShare ? Math.floor(Number(most.slice(0, -1))) : 0,
    negativeMaxSize,
  };
}
