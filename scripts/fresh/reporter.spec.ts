import assert from "node:assert/strict";
import { Writable } from "node:stream";
import { test } from "node:test";
import { createReporter } from "./reporter.ts";

function collector(): Writable & { text: string } {
  const stream = Object.assign(
    new Writable({
      write(chunk, _encoding, done) {
        stream.text += String(chunk);
        done();
      },
    }),
    { text: "" },
  );
  return stream;
}

function setUp() {
  const log = collector();
  const out = collector();
  return { report: createReporter("Debian 12", log, out), log, out };
}

test("command() shows the last lines of a command that fails, and keeps all of them in the log", async () => {
  const { report, log, out } = setUp();
  const failing = report.command("npm run up", async () => {
    for (let index = 1; index <= 50; index += 1) report.line(`line ${index}`);
    return 3;
  });
  await assert.rejects(failing, (err: Error) => {
    assert.match(err.message, /^Debian 12: "npm run up" ended with status 3; its last lines:\nline 11\n/);
    assert.match(err.message, /\nline 50$/);
    return true;
  });
  assert.match(log.text, /\$ npm run up\nline 1\n/);
  assert.match(out.text, /▸ Debian 12: npm run up … failed, \d+\.\d s\n$/);
});

test("step() tells the time of what went well, and skip() the reason", async () => {
  const { report, out } = setUp();
  assert.equal(await report.step("copy", async () => "done"), "done");
  report.skip("npm run ok", "part of npm test");
  assert.match(out.text, /copy … ok, \d+\.\d s\n▸ Debian 12: npm run ok … left out: part of npm test\n$/);
});
