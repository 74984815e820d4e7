import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createInMemoryState, createResource, getTyped, updateTyped, wrapCore } from "@talos-ts/cosi";
import { MachineConfig } from "@talos-ts/machinery/resources/config";
import { parsedConfig } from "./parsed-config.ts";

const hostname = (name: string): string => `apiVersion: v1alpha1\nkind: HostnameConfig\nhostname: ${name}\n`;

describe("parsedConfig()", () => {
  it("parses a stored resource once, whoever reads it, and again after an update", async () => {
    const state = wrapCore(createInMemoryState());
    await state.create(createResource(MachineConfig, MachineConfig.ids.active, hostname("a")));
    const read = () => getTyped(state, MachineConfig, MachineConfig.ids.active);
    const first = parsedConfig(await read());
    assert.equal(parsedConfig(await read()), first);
    await updateTyped(state, MachineConfig, MachineConfig.ids.active, () => hostname("b"));
    assert.notEqual(parsedConfig(await read()), first);
  });
});
