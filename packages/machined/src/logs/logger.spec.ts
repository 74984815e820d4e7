import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createManualClock } from "@talos-ts/base";
import { consoleSink, createLogger, detailSink, messageSink, quietControllers } from "./logger.ts";

describe("createLogger()", () => {
  const clock = createManualClock(Date.UTC(2026, 10, 15, 19, 0, 1));
  it("writes the console form with fields in order", () => {
    const lines: string[] = [];
    const logger = createLogger([consoleSink((line) => lines.push(line))], { component: "controller-runtime" }, clock);
    logger.with({ controller: "k8s.X" }).info("rendered new static pod", { id: "kube-apiserver" });
    logger.debug("hidden");
    assert.deepEqual(lines, [
      '2026/11/15 19:00:01 [talos] rendered new static pod {"component": "controller-runtime", "controller": "k8s.X", "id": "kube-apiserver"}\n',
    ]);
  });
  it("writes every level to the detailed log", () => {
    const lines: string[] = [];
    createLogger([detailSink((line) => lines.push(line))], {}, clock).debug("restarting controller in 1s", { n: 1 });
    assert.deepEqual(lines, ['2026-11-15T19:00:01.000Z\tDEBUG\trestarting controller in 1s\t{"n": 1}\n']);
  });
  it("T-66: writes lines of the kernel log", () => {
    const lines: string[] = [];
    const logger = createLogger([messageSink((line) => lines.push(line))], { component: "controller-runtime" }, clock);
    logger.info("rendered new static pod", { id: "kube-apiserver" });
    logger.debug("hidden");
    assert.deepEqual(lines, [
      'user: warning: [2026-11-15T19:00:01Z]: [talos] rendered new static pod {"component": "controller-runtime", "id": "kube-apiserver"}\n',
    ]);
  });
  it("T-59: hides the first four failures of a controller from the console", () => {
    const lines: string[] = [];
    const logger = createLogger([quietControllers(consoleSink((line) => lines.push(line)))], {}, clock);
    for (let index = 0; index < 6; index += 1) logger.error("controller failed", { controller: "a" });
    logger.error("controller failed", { controller: "b" });
    assert.equal(lines.length, 2);
  });
});
