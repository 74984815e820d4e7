import { it } from "node:test";
import type { Controller, Resource, ResourceType } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { activeResource, testConfig } from "../../internal/testing.ts";

/** Describes a controller that publishes one part of the configuration of control planes as one resource. */
export interface PublishedConfig<T> {
  readonly controller: () => Controller;
  readonly type: ResourceType<T> & { readonly id: string };
  /** Configuration of a control plane. */
  readonly config: string;
  readonly check: (resource: Resource<T>) => void;
}

/** Declares the tests that all of them share: it is there with the configuration, goes with it, and never is on workers. */
export function testPublishedConfig<T>({ controller, type, config, check }: PublishedConfig<T>): void {
  void it("publishes what the configuration of a control plane says", async () => {
    await using test = controllerTest({ register: [controller()] });
    const active = activeResource(config);
    await test.create(active);
    await test.assertResource(type, type.id, check);
    await test.remove(active);
    await test.assertNoResource(type, type.id);
  });

  void it("publishes nothing on workers", async () => {
    await using test = controllerTest({ register: [controller()] });
    await test.create(activeResource(await testConfig("worker")));
    await test.settled();
    await test.assertNoResource(type, type.id);
  });
}
