import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { NamespaceSpecSchema } from "@talos-ts/proto/cosi/meta";
import type { ResourceType } from "../resource.ts";

/** Namespace and owner of resources that describe resources. */
export const metaNamespace = "meta";
/** Owner of the resources that describe namespaces and types. */
export const metaOwner = "meta";

/** A namespace that exists; its name is the id. */
export interface Namespace {
  readonly description: string;
}

/** Resource type of namespaces. */
export const namespaceType: ResourceType<Namespace> = {
  type: "Namespaces.meta.cosi.dev",
  namespace: metaNamespace,
  codec: {
    encode: ({ description }) => toBinary(NamespaceSpecSchema, create(NamespaceSpecSchema, { description })),
    decode: (bytes) => ({ description: fromBinary(NamespaceSpecSchema, bytes).description }),
    toPlain: ({ description }) => ({ description }),
  },
};
