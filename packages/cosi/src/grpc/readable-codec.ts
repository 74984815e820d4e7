import type { ResourceRegistry } from "../registry.ts";
import { createWireCodec, type WireCodec } from "./wire-resource.ts";

/**
 * A codec that also writes specs in the form people read. It comes with the first call, because programs that only read
 * resources, such as the gateway of a node, should not have to hold a YAML library.
 */
export function createReadableCodec(registry: ResourceRegistry): () => Promise<WireCodec> {
  let codec: Promise<WireCodec> | undefined;

  async function load(): Promise<WireCodec> {
    const { specYaml } = await import("./spec-yaml.ts");
    return createWireCodec(registry, { yaml: specYaml });
  }

  return () => (codec ??= load());
}
