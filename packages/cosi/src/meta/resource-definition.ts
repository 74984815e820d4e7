import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import {
  ResourceDefinitionSpec_Sensitivity as WireSensitivity,
  ResourceDefinitionSpecSchema,
} from "@talos-ts/proto/cosi/meta";
import type { ResourceType } from "../resource.ts";
import { metaNamespace } from "./namespace.ts";

/** Describes what is known about a type of resources: how people may name it and what a table of it shows. */
export interface ResourceDefinition {
  /** Canonical type. */
  readonly type: string;
  /** Type as tables show it. */
  readonly displayType: string;
  readonly defaultNamespace: string;
  /** Short names to show to people. */
  readonly aliases: readonly string[];
  /** Every name by which the type is found, besides its canonical one. */
  readonly allAliases: readonly string[];
  readonly printColumns: readonly PrintColumn[];
  readonly sensitivity: Sensitivity;
}

/** A column of `talosctl get` beyond the common ones. */
export interface PrintColumn {
  readonly name: string;
  /** As in `{.spec.field}`, relative to the spec. */
  readonly jsonPath: string;
}

/** `sensitive`: only administrators may read resources of the type. Empty: everybody who may read at all. */
export type Sensitivity = "" | "sensitive";

/** Resource type of resource definitions. */
export const resourceDefinitionType: ResourceType<ResourceDefinition> = {
  type: "ResourceDefinitions.meta.cosi.dev",
  namespace: metaNamespace,
  codec: {
    encode: (spec) =>
      toBinary(
        ResourceDefinitionSpecSchema,
        create(ResourceDefinitionSpecSchema, {
          resourceType: spec.type,
          displayType: spec.displayType,
          defaultNamespace: spec.defaultNamespace,
          aliases: [...spec.aliases],
          allAliases: [...spec.allAliases],
          printColumns: spec.printColumns.map(({ name, jsonPath }) => ({ name, jsonPath })),
          sensitivity: spec.sensitivity === "" ? WireSensitivity.NON_SENSITIVE : WireSensitivity.SENSITIVE,
        }),
      ),
    decode(bytes) {
      const message = fromBinary(ResourceDefinitionSpecSchema, bytes);
      return {
        type: message.resourceType,
        displayType: message.displayType,
        defaultNamespace: message.defaultNamespace,
        aliases: message.aliases,
        allAliases: message.allAliases,
        printColumns: message.printColumns.map(({ name, jsonPath }) => ({ name, jsonPath })),
        sensitivity: message.sensitivity === WireSensitivity.NON_SENSITIVE ? "" : "sensitive",
      };
    },
    toPlain: ({ type, displayType, defaultNamespace, aliases, allAliases, printColumns, sensitivity }) => ({
      type,
      displayType,
      defaultNamespace,
      aliases,
      allAliases,
      printColumns,
      ...(sensitivity !== "" && { sensitivity }),
    }),
  },
};
