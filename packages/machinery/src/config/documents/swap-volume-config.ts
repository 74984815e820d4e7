import { bareVolume } from "./shared/bare-volume.ts";

export const swapVolumeConfig = bareVolume({
  kind: "SwapVolumeConfig",
  schemaName: "block.SwapVolumeConfigV1Alpha1",
  doc: "A partition for swap.",
});
