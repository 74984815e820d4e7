import type { ResourceRegistry } from "../registry.ts";
import { createWireCodec, type WireCodec } from "./wire-resource.ts";

/** Loads what writes a plain spec as YAML. */
export type LoadYaml = () => Promise<(plain: unknown) => string>;

/**
 * A codec that also writes specs in the form people read. It comes with the first call, because programs that only read
 * resources, such as the gateway of a node, should not have to hold a YAML library.
 */
export function createReadableCodec(
  registry: ResourceRegistry,
  loadYaml: LoadYaml = async () => (await import("./spec-yaml.ts")).specYaml,
): () => Promise<WireCodec> {
  let codec: Promise<WireCodec> | undefined;

  async function load(): Promise<WireCodec> {
    return createWireCodec(registry, { yaml: await loadYaml() });
  }

  return () => (codec ??= load());
}
