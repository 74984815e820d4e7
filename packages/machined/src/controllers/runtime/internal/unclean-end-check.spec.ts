import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createManualClock } from "@talos-ts/base";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { Diagnostic } from "@talos-ts/machinery/resources/runtime";
import { diagnosticsController } from "../diagnostics.ts";
import type { UncleanEnd } from "../../../platform.ts";

async function details(uncleanEnd: UncleanEnd): Promise<readonly string[]> {
  const clock = createManualClock();
  await using test = controllerTest({
    clock,
    register: [diagnosticsController({ clock, root: "", platform: { uncleanEnd } })],
  });
  let found: readonly string[] = [];
  await test.assertResource(Diagnostic, "unclean-end", ({ spec }) => {
    found = spec.details;
    assert.equal(spec.message, "the last run of this machine ended without a shutdown");
  });
  return found;
}

describe("uncleanEndCheck()", () => {
  it("shows why and when the last run ended", async () => {
    const time = "2026-01-01T00:00:00.000Z";
    const death = { time, reason: "killed by SIGKILL", count: 3, restartAt: time };
    assert.deepEqual(await details({ death }), [
      "reason: killed by SIGKILL",
      `time: ${time}`,
      "such ends since the machine was created: 3",
    ]);
  });
  it("says that nobody knows when nobody watched", async () => {
    assert.deepEqual(await details({ death: undefined }), ["reason: unknown, as after a power cut"]);
  });
});
