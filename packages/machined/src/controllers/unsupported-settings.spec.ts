import assert from "node:assert/strict";
import { test } from "node:test";
import { unsupportedSettings } from "@talos-ts/machinery/config";
import { createTestNode } from "../api/testing.ts";
import { allControllers } from "./index.ts";
import { resolveWithSystem } from "./k8s/static-endpoint.ts";

test("no setting is called unsupported whose controller is registered", async () => {
  await using node = await createTestNode();
  const dependencies = { ...node.machine, resolveHost: resolveWithSystem, setHostname: undefined };
  const registered = new Set(allControllers(dependencies).map(({ name }) => name));
  const supported = unsupportedSettings.filter((setting) => setting.controllers.some((name) => registered.has(name)));
  assert.deepEqual(supported, [], "remove these rows from machinery/src/config/support/unsupported.ts");
});
