import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { createInMemoryState, createResource, wrapCore } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { temporaryDirectory } from "@talos-ts/host/testing";
import { ExtensionServiceConfigStatus } from "@talos-ts/machinery/resources/runtime";
import { createLogStore } from "../../logs/log-store.ts";
import type { Service } from "../../service.ts";
import { createServiceManager } from "../../services/service-manager.ts";
import { testMachine } from "../internal/testing.ts";
import { extensionServiceController } from "./extension-service.ts";

const spec = (name: string, depends = "") =>
  `name: ${name}\nrestart: never\ncontainer: {entrypoint: /bin/${name}}\ndepends: [${depends}]\n`;

describe("extensionServiceController()", () => {
  it("loads services from their files and starts them anew when their configuration changes", async () => {
    await using folder = await temporaryDirectory();
    const specs = join(folder.path, "usr/local/etc/containers");
    await mkdir(specs, { recursive: true });
    await writeFile(join(specs, "a.yaml"), spec("a", "{path: /never}"));
    await writeFile(join(specs, "b.yaml"), spec("b", "{configuration: true}"));
    await writeFile(join(specs, "broken.yaml"), "name: 1\n");
    await writeFile(join(specs, "readme.txt"), "");
    const manager = createServiceManager();
    const calls: string[] = [];
    const services = {
      ...manager,
      load: (...loaded: readonly Service[]) => manager.load(...loaded),
      start: (...ids: readonly string[]) => {
        calls.push(`start ${ids.join(" ")}`);
        manager.start(...ids);
      },
      stop: async (...ids: readonly string[]) => {
        calls.push(`stop ${ids.join(" ")}`);
        await manager.stop(...ids);
      },
    };
    const machine = {
      ...testMachine({ root: folder.path }),
      logs: createLogStore(),
      registerProcess: () => () => ({ [Symbol.dispose]: () => undefined }),
      services,
      config: { current: async () => undefined },
    };
    const waits = new Map<string, () => void>();
    using _listening = manager.listen((unit) => {
      if (unit.state === "waiting") waits.get(unit.service.id)?.();
    });
    const waiting = (id: string) => new Promise<void>((resolve) => waits.set(id, resolve));
    const both = Promise.all([waiting("ext-a"), waiting("ext-b")]);
    const state = wrapCore(createInMemoryState());
    await using kit = controllerTest({ state, register: [extensionServiceController({ ...machine, state })] });
    await both;
    assert.deepEqual(
      manager.list().map((unit) => [unit.service.id, unit.events.at(-1)?.message]),
      [
        ["ext-a", 'Waiting for service "containerd" to be registered, file "/never" to exist'],
        ["ext-b", 'Waiting for service "containerd" to be registered, extension service config'],
      ],
    );
    const again = waiting("ext-a");
    await kit.create(
      createResource(ExtensionServiceConfigStatus, "a", { specVersion: "1" }),
      createResource(ExtensionServiceConfigStatus, "b", { specVersion: "1" }),
    );
    await again;
    assert.deepEqual(calls, ["start ext-a ext-b", "stop ext-a", "start ext-a"]);
    await manager.shutdown();
  });
});
