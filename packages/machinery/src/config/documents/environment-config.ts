import { document } from "../schema/document.ts";
import { label } from "../schema/scalars.ts";
import { property, dictionary } from "../schema/type.ts";

const variables = dictionary(label, { type: "object", patternProperties: { ".*": { type: "string" } } });

export const environmentConfig = document({
  kind: "EnvironmentConfig",
  schemaName: "runtime.EnvironmentV1Alpha1",
  doc: "Environment of the services of the machine.",
  fields: {
    variables: property(variables, "Values by name.", {
      always: true,
      example: { https_proxy: "http://SERVER:PORT/" },
    }),
  },
  validate: (environment, check) => {
    for (const name of Object.keys(environment.variables ?? {})) {
      if (/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) continue;
      check.error(["variables", name], `invalid environment variable name: ${JSON.stringify(name)}`);
    }
  },
});
