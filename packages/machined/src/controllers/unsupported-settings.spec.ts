import assert from "node:assert/strict";
import { test } from "node:test";
import { unsupportedSettings } from "@talos-ts/machinery/config";
import { createTestNode } from "../api/testing.ts";
import { controllers } from "./index.ts";

test("no setting is called unsupported whose controller is registered", async () => {
  await using node = await createTestNode();
  const registered = new Set(controllers(node.machine).map(({ name }) => name));
  const supported = unsupportedSettings.filter((setting) => setting.controllers.some((name) => registered.has(name)));
  assert.deepEqual(supported, [], "remove these rows from machinery/src/config/support/unsupported.ts");
});
