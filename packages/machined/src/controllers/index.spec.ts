import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  createInMemoryState,
  createResource,
  definitionId,
  describePointer,
  wrapCore,
  type Controller,
  type Resource,
  type State,
} from "@talos-ts/cosi";
import { configText } from "@talos-ts/machinery/config";
import { resourceDefinitions } from "@talos-ts/machinery/resources";
import { Identity } from "@talos-ts/machinery/resources/cluster";
import { AddressStatus, LinkStatus } from "@talos-ts/machinery/resources/network";
import { createTestNode } from "../api/testing.ts";
import { allControllers, pureControllers } from "./index.ts";
import { testConfig, testMachine } from "./internal/testing.ts";
import { addressStatusName } from "./network/address-status.ts";
import { createDryRun } from "../plan/dry-run.ts";
import { createDryRunDependencies } from "../plan/dry-run-dependencies.ts";

const { platform } = testMachine();
const { signal } = new AbortController();

const observed: readonly Resource[] = [
  createResource(Identity, Identity.id, Identity.spec({ nodeId: "8XuV9TZHW08DOk3bVxQjH9ih" })),
  createResource(LinkStatus, "eth0", LinkStatus.spec({ index: 2, operationalState: "up", linkState: true })),
  createResource(
    AddressStatus,
    "eth0/10.5.0.2/24",
    AddressStatus.spec({ address: "10.5.0.2/24", linkName: "eth0", linkIndex: 2, family: "inet4" }),
    { owner: addressStatusName },
  ),
];

async function stateOf(resources: readonly Resource[]): Promise<State> {
  const state = wrapCore(createInMemoryState());
  for (const resource of resources) await state.create(resource, { owner: resource.metadata.owner });
  return state;
}

/** Returns what the chosen controllers make of these resources, in a place of their own. */
async function outputsOf(
  given: readonly Resource[],
  choose: (controller: Controller) => boolean = () => true,
): Promise<readonly Resource[]> {
  await using dependencies = await createDryRunDependencies({ platform });
  const chosen = pureControllers(dependencies).filter(choose);
  await using dryRun = await createDryRun({ state: await stateOf(given), controllers: chosen, signal });
  const { outputs, failures } = await dryRun.apply(configText(await testConfig("controlplane")));
  assert.deepEqual(failures, new Map());
  return outputs;
}

const facts = (resources: readonly Resource[]) =>
  new Map(resources.map(({ metadata, spec }) => [describePointer(metadata), { labels: metadata.labels, spec }]));

describe("pureControllers", () => {
  it("have the same inputs and outputs in a dry run as on the machine", async () => {
    await using node = await createTestNode();
    await using dependencies = await createDryRunDependencies(node.machine);
    const machine = { ...node.machine, resolveHost: dependencies.resolveHost, setHostname: undefined };
    const real = new Map(allControllers(machine).map((controller) => [controller.name, controller]));
    for (const { name, inputs, outputs } of pureControllers(dependencies)) {
      assert.deepEqual([inputs, outputs], [real.get(name)?.inputs, real.get(name)?.outputs], name);
    }
  });
  it("declare nothing but resources as what they depend on", async () => {
    await using dependencies = await createDryRunDependencies({ platform });
    const known = new Set(resourceDefinitions().map(({ type }) => definitionId(type)));
    const all = pureControllers(dependencies);
    assert.ok(all.length > 40);
    for (const { name, inputs, outputs } of all) {
      assert.ok(inputs.length > 0, `${name} has no inputs, so it cannot follow the configuration`);
      for (const { type } of [...inputs, ...outputs]) assert.ok(known.has(definitionId(type)), `${name}: ${type}`);
    }
  });
  it("make the same of the same, each by itself and all together", async () => {
    const all = await outputsOf(observed);
    assert.deepEqual(facts(await outputsOf(observed)), facts(all));
    const makers = new Set(all.map(({ metadata }) => metadata.owner));
    assert.ok(makers.size > 25, `only ${[...makers].join(", ")}`);
    for (const maker of makers) {
      const [own, others] = [all.filter(isOf(maker)), all.filter((resource) => !isOf(maker)(resource))];
      for (let run = 0; run < 2; run += 1) {
        const alone = await outputsOf([...observed, ...others], ({ name }) => name === maker);
        assert.deepEqual(facts(alone), facts(own), maker);
      }
    }
  });
});

function isOf(owner: string): (resource: Resource) => boolean {
  return ({ metadata }) => metadata.owner === owner;
}
