import type { ServiceImpl } from "@talos-ts/grpc";
import type { ImageService } from "@talos-ts/proto/machine/image";

/** The handler of one method of the image service. */
export type ImageMethod<K extends keyof ServiceImpl<typeof ImageService>> = NonNullable<
  ServiceImpl<typeof ImageService>[K]
>;
