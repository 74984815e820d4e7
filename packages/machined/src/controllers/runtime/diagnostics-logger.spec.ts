import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createManualClock } from "@talos-ts/base";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { Diagnostic } from "@talos-ts/machinery/resources/runtime";
import { diagnosticsLoggerController } from "./diagnostics-logger.ts";

describe("diagnosticsLoggerController()", () => {
  it("logs a diagnostic when it appears, every five minutes, and when it is resolved", async () => {
    const clock = createManualClock();
    await using test = controllerTest({ clock, register: [diagnosticsLoggerController({ clock })] });
    const problem = createResource(Diagnostic, "overlap", Diagnostic.spec({ message: "addresses overlap" }));
    await test.create(problem);
    await test.settled();
    await clock.advance(299_000);
    await test.settled();
    const lines = () => test.logs.filter(({ level }) => level !== "debug").map(({ message }) => message);
    assert.deepEqual(lines(), ["new diagnostic"]);
    await clock.advance(1000);
    await test.settled();
    await test.remove(problem);
    await test.settled();
    assert.deepEqual(lines(), ["new diagnostic", "diagnostic still active", "diagnostic resolved"]);
  });
});
