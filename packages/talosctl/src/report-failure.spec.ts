import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { describe, it } from "node:test";
import { OsError } from "@talos-ts/base";
import { reportFailure } from "./report-failure.ts";

function report(error: unknown, aborted = false): [text: string, code: number] {
  let text = "";
  const io = {
    out: () => undefined,
    err: (more: string) => void (text += more),
    env: {},
    isTerminal: false,
    columns: 80,
  };
  const signal = aborted ? AbortSignal.abort() : new AbortController().signal;
  return [text, 0].with(1, reportFailure(error, io, signal)).with(0, text) as [string, number];
}

describe("reportFailure()", () => {
  it("shows the message and the next command", () => {
    const error = new OsError({ kind: "not-found", message: "no such thing", next: "talosctl get rd" });
    assert.deepEqual(report(error), ["no such thing\nnext: talosctl get rd\n", 1]);
  });
  it("knows what to try when the talosconfig is for another cluster (T-06)", () => {
    const error = new OsError({
      kind: "unavailable",
      code: "grpc/connect-untrusted",
      message: "Cannot connect to a: self-signed certificate in certificate chain",
    });
    assert.match(report(error)[0], /next: .*talosctl --talosconfig /);
  });
  it("says in words which file it could not open, and where to look", async () => {
    const error: unknown = await readFile("/no/such/file").catch((err: unknown) => err);
    const text = `Cannot open "/no/such/file": no such file or directory\nnext: ls -l /no/such\n`;
    assert.deepEqual(report(error), [text, 1]);
  });
  it("spells the status of a call as upstream does", () => {
    const refused = new OsError({
      kind: "permission-denied",
      code: "client/node-failed",
      message: "10.5.0.2: not authorized",
      details: { node: "10.5.0.2" },
    });
    assert.match(report(refused)[0], /^10\.5\.0\.2: rpc error: code = PermissionDenied desc = not authorized\n/);
  });
  it("is silent when the person ended it", () => {
    assert.deepEqual(report(new OsError({ kind: "cancelled", message: "aborted" }), true), ["", 130]);
  });
  it("says nothing more after help", () => {
    const shown = Object.assign(new Error("(outputHelp)"), { code: "commander.helpDisplayed", exitCode: 0 });
    assert.deepEqual(report(shown), ["", 0]);
  });
});
