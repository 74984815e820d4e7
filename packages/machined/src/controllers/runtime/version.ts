import { createResource, exclusive, reduceController, type Controller } from "@talos-ts/cosi";
import { systemVersion } from "@talos-ts/machinery/constants";
import { Version } from "@talos-ts/machinery/resources/runtime";

/** The name under which clients know the system. */
const systemName = "Talos";

export function versionController(): Controller {
  return reduceController({
    name: "runtime.VersionController",
    inputs: [],
    outputs: [exclusive(Version)],
    reduce: () => [createResource(Version, Version.id, Version.spec({ name: systemName, version: systemVersion }))],
  });
}
