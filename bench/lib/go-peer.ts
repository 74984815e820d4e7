import { join } from "node:path";
import { buildGoModule } from "../../scripts/lib/go-module.ts";

/** Builds the Go module `bench/peers/<name>`; resolves to the program. */
export function buildGoPeer(name: string): Promise<string> {
  return buildGoModule(join(import.meta.dirname, "..", "peers", name));
}
