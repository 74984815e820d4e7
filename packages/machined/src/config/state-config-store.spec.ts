import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createInMemoryState, createResource, getTyped, wrapCore } from "@talos-ts/cosi";
import { loadConfig } from "@talos-ts/machinery/config";
import { MachineConfig } from "@talos-ts/machinery/resources";
import { VolumeStatus } from "@talos-ts/machinery/resources/block";
import { createConfigStore } from "./state-config-store.ts";

const hostname = (name: string): string => `apiVersion: v1alpha1\nkind: HostnameConfig\nhostname: ${name}\n`;

describe("createConfigStore()", () => {
  it("keeps the active and the persistent configuration apart, as given", async () => {
    const state = wrapCore(createInMemoryState());
    const store = createConfigStore(state);
    assert.equal(await store.current(), undefined);
    const first = loadConfig(hostname("a"));
    await store.activate(first);
    await store.activate(loadConfig(hostname("b")));
    await store.keep(first);
    assert.equal((await getTyped(state, MachineConfig, "v1alpha1")).spec, hostname("b"));
    assert.equal((await getTyped(state, MachineConfig, "persistent")).spec, hostname("a"));
    assert.equal((await store.current())?.documents[0]?.kind, "HostnameConfig");
  });

  it("does not wait for a disk on a machine that is not installed", async () => {
    const state = wrapCore(createInMemoryState());
    await state.create(createResource(VolumeStatus, "STATE", VolumeStatus.spec({ phase: "missing" })));
    await createConfigStore(state).persist(loadConfig(hostname("a")));
    assert.equal((await getTyped(state, MachineConfig, "persistent")).spec, hostname("a"));
  });
});
