import { equalSpecs, type Kind, type Pointer, type Resource } from "@talos-ts/cosi";
import { resourceTypes, type TypedResource } from "@talos-ts/machinery/resources";
import { Manifest, Nodename } from "@talos-ts/machinery/resources/k8s";
import { configNamespace } from "../controllers/network/internal/resource-ids.ts";
import { diffFields, type FieldChange } from "./diff-fields.ts";

export interface ResourceChange {
  readonly change: "created" | "updated" | "destroyed";
  readonly pointer: Pointer;
  /** Fields that differ; `undefined` where the type is sensitive, so that its values are nobody's to see here. */
  readonly fields: readonly FieldChange[] | undefined;
}

/** Namespaces of what sources say before it is merged: what comes of it is what changes. */
const intermediate: ReadonlySet<string> = new Set([configNamespace]);

/** Fields that count versions of other resources, which a copy counts anew. */
const counters: Readonly<Record<string, ReadonlySet<string>>> = {
  [Nodename.type]: new Set(["hostnameVersion"]),
};

const types: ReadonlyMap<string, TypedResource> = new Map(resourceTypes.map((type) => [type.type, type]));

/** Types that anybody may read and that hold secrets all the same: one of the manifests is that of the bootstrap token. */
const carriesSecrets: ReadonlySet<string> = new Set([Manifest.type]);

/** Reports whether values of a type are not to be shown: only administrators may read it, it holds secrets, or nobody knows it. */
export function isSensitive({ type }: Pick<Kind, "type">): boolean {
  return types.get(type)?.sensitivity !== "" || carriesSecrets.has(type);
}

/** Ordered by type, namespace and id. */
export function diffOutputs(before: readonly Resource[], after: readonly Resource[]): readonly ResourceChange[] {
  const [left, right] = [byKey(before), byKey(after)];
  const keys = [...new Set([...left.keys(), ...right.keys()])].sort();
  return keys.flatMap((key) => diffOne(left.get(key), right.get(key)) ?? []);
}

function byKey(resources: readonly Resource[]): ReadonlyMap<string, Resource> {
  const shown = resources.filter(({ metadata }) => !intermediate.has(metadata.namespace));
  return new Map(shown.map((resource) => [keyOf(resource.metadata), resource]));
}

function keyOf({ type, namespace, id }: Pointer): string {
  return [type, namespace, id].join("\0");
}

function diffOne(before: Resource | undefined, after: Resource | undefined): ResourceChange | undefined {
  const metadata = (after ?? before)?.metadata;
  if (metadata === undefined || equalSpecs(before?.spec, after?.spec)) return undefined;
  const { namespace, type, id } = metadata;
  const change = before === undefined ? "created" : after === undefined ? "destroyed" : "updated";
  const pointer = { namespace, type, id };
  if (isSensitive(metadata)) return { change, pointer, fields: undefined };
  const fields = diffFields(plain(before), plain(after)).filter(({ path }) => counters[type]?.has(path) !== true);
  return change === "updated" && fields.length === 0 ? undefined : { change, pointer, fields };
}

function plain(resource: Resource | undefined): unknown {
  return resource === undefined ? undefined : types.get(resource.metadata.type)?.codec.toPlain(resource.spec);
}
