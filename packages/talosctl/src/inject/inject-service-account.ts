import { isMap, isSeq, parseAllDocuments, type Document, type YAMLMap, type YAMLSeq } from "yaml";
import { OsError } from "@talos-ts/base";

/** Path to the pod specification of each kind that has one. */
const podSpecPaths: Readonly<Record<string, readonly string[]>> = {
  "v1/Pod": ["spec"],
  "apps/v1/Deployment": ["spec", "template", "spec"],
  "apps/v1/StatefulSet": ["spec", "template", "spec"],
  "apps/v1/DaemonSet": ["spec", "template", "spec"],
  "batch/v1/Job": ["spec", "template", "spec"],
  "batch/v1/CronJob": ["spec", "jobTemplate", "spec", "template", "spec"],
};

const serviceAccountKind = "talos.dev/v1alpha1/ServiceAccount";
/** Name of the volume, and ending of the names of account and secret. */
const volumeName = "talos-secrets";
/** Where the client looks for its configuration inside of a pod. */
const mountPath = "/var/run/secrets/talos.dev";

/**
 * Gives the pods of Kubernetes manifests access to the Talos API: a `ServiceAccount` of `talos.dev` with the roles, whose secret is
 * mounted into every container. Everything else stays as it is, comments too; done again, it changes nothing but the roles.
 *
 * @throws `inject/bad-manifest`
 */
export function injectServiceAccount(text: string, roles: readonly string[]): string {
  const documents = parse(text).filter(({ contents }) => contents !== null);
  const injected = documents.map((document) => (injectInto(document) ? idOf(document) : undefined));
  const own = new Set(injected.filter((id) => id !== undefined));
  const written = new Set<string>();
  const output = documents.flatMap((document, index): readonly string[] => {
    // Made by an earlier run: written anew behind its pod.
    if (kindOf(document) === serviceAccountKind && own.has(withoutEnding(idOf(document)))) return [];
    const id = injected[index];
    const body = document.toString({ lineWidth: 0, directives: false });
    if (id === undefined || written.has(id)) return [body];
    written.add(id);
    return [body, accountFor(document, roles)];
  });
  return output.map((each) => each.replace(/^---\n/, "")).join("---\n");
}

function parse(text: string): readonly Document.Parsed[] {
  const documents = parseAllDocuments(text);
  const found = Array.isArray(documents) ? documents : [];
  const problem = found.flatMap(({ errors }) => errors)[0];
  if (problem === undefined) return found;
  throw new OsError({
    kind: "invalid-argument",
    code: "inject/bad-manifest",
    message: `Cannot read the manifests as YAML: ${problem.message}`,
  });
}

/** Mounts the secret; reports whether the document is of a kind that has pods. */
function injectInto(document: Document.Parsed): boolean {
  const path = podSpecPaths[kindOf(document)];
  const spec: unknown = path === undefined ? undefined : document.getIn(path);
  if (!isMap(spec) || nameOf(document) === "") return false;
  const secretName = `${nameOf(document)}-${volumeName}`;
  replaceNamed(document, spec, "volumes", { name: volumeName, secret: { secretName } });
  for (const field of ["initContainers", "containers"]) {
    const containers: unknown = spec.get(field);
    if (!isSeq(containers)) continue;
    for (const container of containers.items) {
      if (isMap(container)) replaceNamed(document, container, "volumeMounts", { name: volumeName, mountPath });
    }
  }
  return true;
}

/** An entry of a list of volumes or mounts. */
interface Entry {
  readonly name: string;
  readonly [field: string]: unknown;
}

/** Puts an entry at the end of a list, in the place of one with its name. */
function replaceNamed(document: Document.Parsed, owner: YAMLMap, field: string, entry: Entry): void {
  const present: unknown = owner.get(field);
  const list = isSeq(present) ? present : (document.createNode([]) as YAMLSeq);
  list.items = list.items.filter((item) => !isMap(item) || item.get("name") !== entry.name);
  list.add(document.createNode(entry));
  list.flow = false;
  owner.set(field, list);
}

function accountFor(document: Document.Parsed, roles: readonly string[]): string {
  const namespace = text(document.getIn(["metadata", "namespace"]));
  return [
    "apiVersion: talos.dev/v1alpha1",
    "kind: ServiceAccount",
    "metadata:",
    `  name: ${nameOf(document)}-${volumeName}`,
    ...(namespace === "" ? [] : [`  namespace: ${namespace}`]),
    "spec:",
    "  roles:",
    ...roles.map((role) => `    - ${role}`),
    "",
  ].join("\n");
}

const text = (value: unknown): string => (typeof value === "string" ? value : "");
const kindOf = (document: Document.Parsed): string =>
  `${text(document.getIn(["apiVersion"]))}/${text(document.getIn(["kind"]))}`;
const nameOf = (document: Document.Parsed): string => text(document.getIn(["metadata", "name"]));
const idOf = (document: Document.Parsed): string =>
  `${text(document.getIn(["metadata", "namespace"]))}/${nameOf(document)}`;
const withoutEnding = (id: string): string =>
  id.endsWith(`-${volumeName}`) ? id.slice(0, -volumeName.length - 1) : "";
