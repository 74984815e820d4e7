import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { OsError, systemClock } from "@talos-ts/base";
import type { Logger } from "@talos-ts/cosi";
import { kinds, loadKubeconfig, type KubernetesAccess } from "@talos-ts/kubernetes";
import { createFollowedObjects } from "./followed-objects.ts";

/** The level of the first line about following with such an access. */
async function levelOf(access: () => Promise<KubernetesAccess>): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const told = (level: string) => (message: string) => {
    if (message === "node watch error") resolve(level);
  };
  const logger: Logger = {
    debug: told("debug"),
    info: told("info"),
    warn: told("warn"),
    error: told("error"),
    with: () => logger,
  };
  const { signal } = new AbortController();
  const context = { logger, signal, queueReconcile: () => undefined };
  using objects = createFollowedObjects(context, { clock: systemClock }, "node watch error");
  objects.set({ kind: kinds.node, access: { basis: "test", access } });
  return await promise;
}

describe("createFollowedObjects()", () => {
  it("T-51: warns of a watch that fails", async () => {
    const refused = new OsError({ kind: "unavailable", message: "connection refused" });
    assert.equal(await levelOf(() => Promise.reject(refused)), "warn");
  });
  it("does not warn of a kubeconfig that the kubelet is about to write again", async () => {
    assert.equal(await levelOf(() => loadKubeconfig("/nonexistent/kubeconfig")), "debug");
  });
});
