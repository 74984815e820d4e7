import { bool, field, int64, message, omitEmpty, text, uint64, type ValueOf } from "../dsl/index.ts";
import { filesystemType } from "../enums/index.ts";
import { celExpression } from "../values/index.ts";

const diskSelector = message({
  match: omitEmpty(1, celExpression),
  external: omitEmpty(2, text),
});

const partition = message({
  minSize: field(1, uint64),
  maxSize: omitEmpty(2, uint64),
  relativeMaxSize: field(6, uint64),
  negativeMaxSize: field(7, bool),
  grow: field(3, bool),
  label: omitEmpty(4, text),
  typeUUID: omitEmpty(5, text),
});

const filesystem = message({
  type: field(1, filesystemType),
  label: omitEmpty(2, text),
});

/** Provisioning of a volume that cannot be located. */
export const volumeProvisioning = message({
  wave: omitEmpty(3, int64),
  diskSelector: omitEmpty(1, diskSelector),
  partitionSpec: omitEmpty(2, partition),
  filesystemSpec: omitEmpty(4, filesystem),
});

export type VolumeProvisioning = ValueOf<typeof volumeProvisioning>;
