import { defineResource, field, list, text, type SpecOf } from "../dsl/index.ts";
import { imageCacheCopyStatus, imageCacheStatus } from "../enums/index.ts";

/** State of the image cache and the directories it is served from. */
export const ImageCacheConfig = defineResource({
  type: "ImageCacheConfigs.cri.talos.dev",
  namespace: "cri",
  columns: [
    ["Status", "{.status}"],
    ["CopyStatus", "{.copyStatus}"],
    ["Roots", "{.roots}"],
  ],
  id: "image-cache",
  spec: {
    status: field(1, imageCacheStatus),
    copyStatus: field(3, imageCacheCopyStatus),
    roots: field(2, list(text)),
  },
});

export type ImageCacheConfigSpec = SpecOf<typeof ImageCacheConfig>;
