import { enumOf, type ValueOf } from "../dsl/index.ts";

/** Reports whether the cache can be used. */
export const imageCacheStatus = enumOf("ImageCacheStatus", { unknown: 0, disabled: 1, preparing: 2, ready: 3 });

export type ImageCacheStatus = ValueOf<typeof imageCacheStatus>;

/** Reports whether images were copied to the disk. */
export const imageCacheCopyStatus = enumOf("ImageCacheCopyStatus", { unknown: 0, skipped: 1, copying: 2, ready: 3 });

export type ImageCacheCopyStatus = ValueOf<typeof imageCacheCopyStatus>;
