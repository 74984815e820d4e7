import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { createScratch, type Scratch } from "./scratch.ts";

// Does what the recipes of CONTRIBUTING.md say, in a clone: one resource, one controller, one command, one document.

const resource = `import { defineResource, field, text, type SpecOf } from "../dsl/index.ts";

/** Greeting of the machine, by its hostname. */
export const Greeting = defineResource({
  type: "Greetings.net.talos.dev",
  namespace: "network",
  columns: [["Text", "{.text}"]],
  id: "greeting",
  spec: {
    text: field(1, text),
  },
});

export type GreetingSpec = SpecOf<typeof Greeting>;
`;

const controller = `import { createResource, exclusive, reduceController, weak, type Controller } from "@talos-ts/cosi";
import { Greeting, HostnameStatus } from "@talos-ts/machinery/resources/network";

/** Publishes a greeting with the hostname of the machine. */
export function greetingController(): Controller {
  return reduceController({
    name: "network.GreetingController",
    inputs: [weak(HostnameStatus, { id: HostnameStatus.id })],
    outputs: [exclusive(Greeting)],
    async reduce(context) {
      const status = await context.find(HostnameStatus, HostnameStatus.id);
      if (status === undefined) return [];
      return [createResource(Greeting, Greeting.id, Greeting.spec({ text: \`Hello from \${status.spec.hostname}\` }))];
    },
  });
}
`;

const controllerSpec = `import { describe, it } from "node:test";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { Greeting, HostnameStatus } from "@talos-ts/machinery/resources/network";
import { greetingController } from "./greeting.ts";

describe("greetingController()", () => {
  it("greets with the hostname, while there is one", async () => {
    await using test = controllerTest({ register: [greetingController()] });
    const status = createResource(HostnameStatus, HostnameStatus.id, HostnameStatus.spec({ hostname: "node-1" }));
    await test.create(status);
    await test.assertSpec(Greeting, Greeting.id, { text: "Hello from node-1" });
    await test.remove(status);
    await test.assertNoResource(Greeting, Greeting.id);
  });
});
`;

const command = `import { openResources } from "@talos-ts/machinery/client/resources";
import { Greeting } from "@talos-ts/machinery/resources/network";
import type { CommandDefinition } from "../command.ts";
import { openSession } from "../session/session.ts";

export const command: CommandDefinition = {
  async run(invocation) {
    await using session = await openSession(invocation);
    for (const node of session.targets) {
      const { spec } = await openResources(session.connection, node, [Greeting]).get(Greeting, Greeting.id);
      invocation.io.out(\`\${spec.text}\\n\`);
    }
  },
};
`;

const commandSpec = `import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createResource } from "@talos-ts/cosi";
import { Greeting } from "@talos-ts/machinery/resources/network";
import { startFakeNode } from "../testing/fake-node.ts";

describe("greet", () => {
  it("prints the greeting of the node", async () => {
    await using node = await startFakeNode({ types: [Greeting] });
    await node.state.create(createResource(Greeting, Greeting.id, Greeting.spec({ text: "Hello from node-1" })));
    const { out } = await node.run("greet", "-n", "a");
    assert.equal(out, "Hello from node-1\\n");
  });
});
`;

const written = {
  "packages/machinery/src/resources/network/greeting.ts": resource,
  "packages/machined/src/controllers/network/greeting.ts": controller,
  "packages/machined/src/controllers/network/greeting.spec.ts": controllerSpec,
  "packages/talosctl/src/commands/greet.ts": command,
  "packages/talosctl/src/commands/greet.spec.ts": commandSpec,
} as const;

const document = `import { document } from "../schema/document.ts";
import { string } from "../schema/scalars.ts";
import { property } from "../schema/type.ts";

export const greetingConfig = document({
  kind: "GreetingConfig",
  schemaName: "network.GreetingV1Alpha1",
  doc: "Greeting of the machine.",
  fields: {
    text: property(string(), "What it says.", { always: true, example: "Hello" }),
  },
  validate: ({ text }, check) => {
    if (text === undefined) check.error(["text"], "text must not be empty");
  },
});
`;

const head = "apiVersion: v1alpha1\nkind: GreetingConfig\n";
const documents = "packages/machinery/src/config/documents";
const testdata = `${documents}/testdata/greeting-config`;
const writtenForDocument = {
  [`${documents}/greeting-config.ts`]: document,
  [`${testdata}_min.yaml`]: `${head}text: Hello\n`,
  [`${testdata}_full.yaml`]: `${head}text: Hello\n`,
  [`${testdata}_invalid.yaml`]: `${head}text: ""\n`,
  [`${testdata}_invalid.txt`]: "error 3:1 text must not be empty\n",
};

/** Specs that see a new resource, controller, command or document. */
const touched = [
  "packages/machinery/src/config/documents/documents.spec.ts",
  "packages/machinery/src/config/schema/schema.spec.ts",
  "packages/machinery/src/resources/lookup.spec.ts",
  "packages/machinery/src/resources/codec.spec.ts",
  "packages/machined/src/controllers/layout.spec.ts",
  "packages/machined/src/controllers/index.spec.ts",
  "packages/machined/src/controllers/network/greeting.spec.ts",
  "packages/talosctl/src/commands/greet.spec.ts",
];

describe("CONTRIBUTING.md", () => {
  let scratch: Scratch;
  before(async () => {
    scratch = await createScratch();
    for (const [path, content] of Object.entries({ ...written, ...writtenForDocument })) {
      await scratch.write(path, content);
    }
    const list = `${documents}/index.ts`;
    await scratch.insert(list, 'import { greetingConfig } from "./greeting-config.ts";', "./hcloud-vip-config.ts");
    await scratch.insert(list, "  greetingConfig,", "  hcloudVipConfig,", "const documents:");
    await scratch.insert(list, "  greetingConfig,", "  hcloudVipConfig,", "export {");
    await scratch.insert(
      "packages/machinery/src/resources/network/index.ts",
      'export { Greeting, type GreetingSpec } from "./greeting.ts";',
      "./hardware-address.ts",
    );
    const controllers = "packages/machined/src/controllers/network/index.ts";
    await scratch.insert(controllers, 'import { greetingController } from "./greeting.ts";', "./hardware-address.ts");
    await scratch.insert(controllers, "  pure(greetingController),", "(hardwareAddressController)");
    await scratch.insert(
      "packages/talosctl/src/commands/index.ts",
      '  { name: "greet", summary: "Print the greeting of a node", load: () => import("./greet.ts") },',
      'name: "image"',
    );
  });
  after(() => scratch[Symbol.asyncDispose]());

  it("takes at most six hand-written files for a resource, a controller and a command", () => {
    assert.ok(Object.keys(written).length <= 6);
  });
  it("ends with code that is formatted, without warnings, and well typed", async () => {
    const sources = Object.keys({ ...written, ...writtenForDocument }).filter((path) => path.endsWith(".ts"));
    await scratch.exec("oxfmt", "--check", ...sources);
    await scratch.exec("oxlint", "--deny-warnings", ...sources);
    await scratch.exec("tsc", "-b");
  });
  it("passes the checks of the gate, with the reference pages written", async () => {
    for (const script of [
      "reference/write-reference",
      "tasks/check-docs",
      "tasks/check-exports",
      "tasks/check-dependencies",
    ]) {
      await scratch.exec("node", "--disable-warning=ExperimentalWarning", `scripts/${script}.ts`);
    }
  });
  it("needs no change to recorded facts and other tests", async () => {
    await scratch.exec("node", "--test", "--disable-warning=ExperimentalWarning", ...touched);
  });
});
