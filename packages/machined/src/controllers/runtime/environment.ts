import { createResource, exclusive, reduceController, type Controller } from "@talos-ts/cosi";
import { environmentOf } from "@talos-ts/machinery/config";
import { Environment } from "@talos-ts/machinery/resources/runtime";
import { activeConfig, activeConfigInput } from "../internal/config-resource.ts";

/** Variables that are not shown: the configuration that a container is given, with its secrets. */
const hidden = new Set(["USERDATA"]);

/**
 * Keeps the environment of `machined` in line with the configuration (`EnvironmentConfig`, `machine.env`), and publishes it. Its pulls
 * of images follow at once, services when they are started the next time.
 *
 * @param variables Environment to change. Default: that of this process.
 */
export function environmentController(variables: Record<string, string | undefined> = process.env): Controller {
  /** Values from before the configuration changed them. */
  const original = new Map<string, string | undefined>();

  function bringInLine(wanted: ReadonlyMap<string, string>): void {
    for (const [name, value] of original) {
      if (wanted.has(name)) continue;
      if (value === undefined) delete variables[name];
      else variables[name] = value;
      original.delete(name);
    }
    for (const [name, value] of wanted) {
      if (!original.has(name)) original.set(name, variables[name] === value ? undefined : variables[name]);
      variables[name] = value;
    }
  }

  return reduceController({
    name: "runtime.EnvironmentController",
    inputs: [activeConfigInput],
    outputs: [exclusive(Environment)],
    async reduce(context) {
      const config = await activeConfig(context);
      bringInLine(new Map(Object.entries(config === undefined ? {} : environmentOf(config))));
      const shown = Object.entries(variables).flatMap(([name, value]) =>
        value === undefined || hidden.has(name) ? [] : [`${name}=${value}`],
      );
      return [createResource(Environment, "machined", Environment.spec({ variables: shown.toSorted() }))];
    },
  });
}
