import { defineResource, field, omitEmpty, text, type SpecOf } from "../dsl/index.ts";
import { volumeType } from "../enums/index.ts";
import { symlinkProvisioning } from "./symlink-provisioning.ts";
import { volumeEncryption } from "./volume-encryption.ts";
import { volumeLocator } from "./volume-locator.ts";
import { volumeMount } from "./volume-mount.ts";
import { volumeProvisioning } from "./volume-provisioning.ts";

/** A volume that should exist, how it is found, and how it is made when it is not. */
export const VolumeConfig = defineResource({
  type: "VolumeConfigs.block.talos.dev",
  namespace: "runtime",
  sensitivity: "sensitive",
  spec: {
    parentId: omitEmpty(1, text),
    type: field(2, volumeType),
    provisioning: field(3, volumeProvisioning),
    encryption: omitEmpty(6, volumeEncryption),
    locator: field(4, volumeLocator),
    mount: omitEmpty(5, volumeMount),
    symlink: omitEmpty(7, symlinkProvisioning),
  },
});

export type VolumeConfigSpec = SpecOf<typeof VolumeConfig>;
