import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createLogRing } from "../logs/log-ring.ts";
import { exitFailure } from "./exit-failure.ts";

describe("exitFailure()", () => {
  it("T-44: names what ended, how, its last line and the command that shows the rest", () => {
    const log = createLogRing();
    log.write('first\nunknown flag: "--x"\n\n   \n');
    const { message, next, details } = exitFailure({ what: "task", id: "etcd", code: 2 }, log);
    assert.equal(message, 'task "etcd" failed: exit code 2 (last log "unknown flag: \\"--x\\"")');
    assert.equal(next, "talosctl logs etcd");
    assert.deepEqual(details, { exitCode: 2 });
  });
  it("names the signal, and leaves the last line out where nothing was logged", () => {
    const { message } = exitFailure({ what: "process", id: "cri", code: null, signal: "SIGKILL" }, createLogRing());
    assert.equal(message, 'process "cri" failed: killed by SIGKILL');
  });
  it("takes the line before the help that programs print for a wrong argument", () => {
    const log = createLogRing();
    log.write("flag provided but not defined: -x\nUsage:\n\n  etcd [flags]\n    Start an etcd server.\n");
    assert.match(exitFailure({ what: "task", id: "etcd", code: 2 }, log).message, /\(last log "flag provided but/);
  });
  it("cuts a line that would fill the history", () => {
    const log = createLogRing();
    log.write(`${"x".repeat(5000)}\n`);
    assert.ok(exitFailure({ what: "task", id: "etcd", code: 1 }, log).message.length < 1100);
  });
});
