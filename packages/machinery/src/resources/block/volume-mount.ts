import {
  bool,
  bytes,
  field,
  int64,
  list,
  message,
  omitEmpty,
  optional,
  text,
  uint32,
  type ValueOf,
} from "../dsl/index.ts";
import { fsParameterType } from "../enums/index.ts";

const mountParameter = message({
  type: field(1, fsParameterType),
  name: field(2, text),
  string: omitEmpty(3, optional(text)),
  binary: omitEmpty(5, bytes),
});

/** Mount point and options of a volume. */
export const volumeMount = message({
  targetPath: field(1, text),
  selinuxLabel: field(2, text),
  projectQuotaSupport: field(3, bool),
  parentId: omitEmpty(4, text),
  fileMode: omitEmpty(5, uint32),
  uid: omitEmpty(6, int64),
  gid: omitEmpty(7, int64),
  recursiveRelabel: omitEmpty(8, bool),
  bindTarget: omitEmpty(9, optional(text)),
  parameters: omitEmpty(10, list(mountParameter)),
});

export type VolumeMount = ValueOf<typeof volumeMount>;
