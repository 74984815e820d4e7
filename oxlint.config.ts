import { layers, scope, type Layer } from "./scripts/layers.ts";

const architecture = "docs/architecture.md";

/** Modules through which a package would touch the machine it runs on; `base` stays usable without one. */
const impureModules = ["node:fs", "node:fs/**", "node:child_process", "node:http*", "node:os"];

/** One override per package: importing a package that stands below it is an error that names the allowed ones. */
const layering = (Object.keys(layers) as Layer[]).map((name) => {
  const allowed: readonly string[] = layers[name];
  const forbidden = (Object.keys(layers) as Layer[]).filter((other) => other !== name && !allowed.includes(other));
  const list = allowed.length > 0 ? allowed.map((other) => `${scope}/${other}`).join(", ") : "no other package";
  return {
    files: [`packages/${name}/src/**/*.ts`],
    rules: {
      "no-restricted-imports": [
        "error",
        {
          patterns: [
            {
              group: forbidden.flatMap((other) => [`${scope}/${other}`, `${scope}/${other}/**`, `**/${other}/src/**`]),
              message: `Layer "${name}" may import ${list}; see ${architecture}`,
            },
            ...(name === "base"
              ? [{ group: impureModules, message: `Layer "base" is pure; files and processes belong to ${scope}/host` }]
              : []),
          ],
        },
      ],
    },
  };
});

export default {
  plugins: ["typescript", "unicorn", "oxc", "import", "promise", "node"],
  categories: { correctness: "error", suspicious: "error", perf: "error" },
  options: { typeAware: true },
  rules: {
    "import/no-cycle": "error",
    "import/no-default-export": "error",
    "typescript/no-explicit-any": "error",
    "typescript/no-non-null-assertion": "error",
    "typescript/no-floating-promises": "error",
    "typescript/switch-exhaustiveness-check": "error",
    "typescript/consistent-type-imports": "error",
    eqeqeq: "error",

    // Sequential awaits are how order is expressed here; running them at once is a decision, not a default.
    "no-await-in-loop": "off",
    // Nested helpers close over little and read well next to their only caller.
    "unicorn/consistent-function-scoping": "off",
    // `class X extends Y { constructor… }` with private state is rare here and deliberate.
    "typescript/no-extraneous-class": "off",
    // Shadowing an outer `err` or `signal` in a nested function is clearer than inventing a second name.
    "no-shadow": "off",
    // Narrowing by assertion marks the edges of the system (bytes, FFI, generated code); `any` stays forbidden.
    "typescript/no-unsafe-type-assertion": "off",
    "typescript/no-base-to-string": "off",
    "no-underscore-dangle": "off",
    "unicorn/no-array-sort": "off",
    "unicorn/no-array-reverse": "off",
    "import/no-unassigned-import": "off",
    "promise/always-return": "off",
  },
  overrides: [
    ...layering,
    { files: ["*.config.ts"], rules: { "import/no-default-export": "off" } },
    // node:test registers suites through promises that nobody awaits.
    { files: ["**/*.spec.ts"], rules: { "typescript/no-floating-promises": "off" } },
  ],
  ignorePatterns: ["**/gen/**", "**/dist/**", "**/node_modules/**", ".cache/**"],
};
