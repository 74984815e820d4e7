import { bareVolume } from "./shared/bare-volume.ts";

export const rawVolumeConfig = bareVolume({
  kind: "RawVolumeConfig",
  schemaName: "block.RawVolumeConfigV1Alpha1",
  doc: "A partition without file system, for storage software in the cluster.",
});
