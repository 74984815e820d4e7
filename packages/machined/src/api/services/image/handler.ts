import type { ServiceImpl } from "@talos-ts/grpc";
import type { ImageService } from "@talos-ts/proto/machine/image";
import type { Machine } from "../../../machine.ts";

/** One method of the image service: a function of the machine that gives the handler. */
export type ImageHandler<K extends keyof ServiceImpl<typeof ImageService>> = (
  machine: Machine,
) => NonNullable<ServiceImpl<typeof ImageService>[K]>;
