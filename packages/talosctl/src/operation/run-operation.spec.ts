import assert from "node:assert/strict";
import { once } from "node:events";
import { after, before, describe, it } from "node:test";
import { createManualClock, isCode, OsError } from "@talos-ts/base";
import { createServer, type GrpcServer } from "@talos-ts/grpc";
import { temporaryDirectory } from "@talos-ts/host/testing";
import { connectApi, type ApiConnection } from "@talos-ts/machinery/client";
import { OperationService, type ReportRequest } from "@talos-ts/proto/operation/operation";
import { runOperation } from "./run-operation.ts";

describe("runOperation()", () => {
  /** Title of operations whose reports get no answer. */
  const silent = "silent";
  const disposables = new AsyncDisposableStack();
  let connection: ApiConnection;
  let reports: ReportRequest[] = [];
  before(async () => {
    const { path } = disposables.use(await temporaryDirectory());
    const server: GrpcServer = createServer({ graceMs: 0 });
    server.addService(OperationService, {
      report: async (request, { signal }) => {
        reports.push(request);
        if (request.title === silent && request.state === "running") await once(signal, "abort");
        return { messages: [{}] };
      },
    });
    await server.listen({ unix: `${path}/s` });
    disposables.defer(() => server.close());
    connection = disposables.use(connectApi({ endpoints: [`unix://${path}/s`] }));
  });
  after(() => disposables.disposeAsync());

  const options = (signal = new AbortController().signal) => ({
    connection: () => connection,
    node: undefined,
    signal,
    tell: () => undefined,
    clock: createManualClock(),
  });
  const last = (): string => {
    const { state = "", done = 0, error = "" } = reports.at(-1) ?? {};
    return [state, String(done), error].join(" ").trim();
  };

  it("runs the steps in order, and reports each", async () => {
    reports = [];
    const ran: string[] = [];
    const steps = ["a", "b"].map((name) => ({ name, run: async () => void ran.push(name) }));
    await runOperation({ kind: "upgrade-k8s", title: "", steps, timeoutMs: 1000 }, options());
    assert.deepEqual(ran, ["a", "b"]);
    assert.deepEqual(
      reports.map(({ state, done }) => `${state} ${String(done)}`),
      ["running 0", "running 1", "running 2", "done 2"],
    );
    assert.equal(new Set(reports.map(({ id }) => id)).size, 1);
  });
  it("reports why a step failed, and fails with it", async () => {
    reports = [];
    const failing = async (): Promise<void> => {
      throw new OsError({ kind: "unavailable", message: "no quorum", next: "talosctl etcd members" });
    };
    const steps = [{ name: "a", run: failing }];
    await assert.rejects(runOperation({ kind: "recover", title: "", steps, timeoutMs: 1000 }, options()), /no quorum/);
    assert.equal(last(), "failed 0 no quorum");
    assert.equal(reports.at(-1)?.next, "talosctl etcd members");
  });
  it("continues an operation under its id, and names the command that goes on", async () => {
    reports = [];
    const id = "00000000-0000-4000-8000-000000000001";
    const command = "talosctl reboot --rolling";
    let keeper = 0;
    const asked = (): undefined => void (keeper += 1);
    const plan = { kind: "reboot", title: "", steps: [{ name: "a", run: async () => undefined }], timeoutMs: 1000 };
    await runOperation({ ...plan, id, command }, { ...options(), node: asked });
    assert.deepEqual(new Set(reports.map((report) => report.id)), new Set([id]));
    assert.deepEqual(
      reports.map(({ next }) => next),
      [command, command, ""],
    );
    assert.ok(keeper >= reports.length);
  });
  it("stops what a step has begun when the deadline is over", async () => {
    reports = [];
    const given = { ...options(), stop: new AbortController() };
    const steps = [{ name: "a", run: () => new Promise<void>(() => undefined) }];
    const rejected = assert.rejects(runOperation({ kind: "reset", title: "", steps, timeoutMs: 5000 }, given));
    while (reports.length === 0) await new Promise((resolve) => setImmediate(resolve));
    await given.clock.advance(6000);
    await rejected;
    assert.ok(isCode(given.stop.signal.reason, "operation/deadline"));
  });
  it("ends at the deadline, and when it is interrupted", async () => {
    reports = [];
    const given = options();
    const never = [{ name: "a", run: () => new Promise<void>(() => undefined) }];
    const running = runOperation({ kind: "rotate-ca", title: "", steps: never, timeoutMs: 5000 }, given);
    const rejected = assert.rejects(running, (err) => isCode(err, "operation/deadline"));
    while (reports.length === 0) await new Promise((resolve) => setImmediate(resolve));
    await given.clock.advance(6000);
    await rejected;
    assert.match(last(), /^failed 0 rotate-ca did not end/);
    const abort = new AbortController();
    reports = [];
    const interrupted = runOperation(
      { kind: "rotate-ca", title: "", steps: never, timeoutMs: 5000 },
      options(abort.signal),
    );
    const failed = assert.rejects(interrupted);
    while (reports.length === 0) await new Promise((resolve) => setImmediate(resolve));
    abort.abort();
    await failed;
    assert.match(last(), /^failed 0 interrupted/);
  });
  it("does not wait for the answer to a report when it is interrupted", async () => {
    reports = [];
    const abort = new AbortController();
    const steps = [{ name: "a", run: async () => undefined }];
    const plan = { kind: "reset", title: silent, steps, timeoutMs: 60_000 };
    const failed = assert.rejects(runOperation(plan, options(abort.signal)));
    while (reports.length === 0) await new Promise((resolve) => setImmediate(resolve));
    const began = performance.now();
    abort.abort();
    await failed;
    // A report that is not given up has 5 s.
    assert.ok(performance.now() - began < 4000);
    assert.match(last(), /^failed 0 interrupted/);
  });
  it("tells the command that goes on when it is interrupted, and only one that does", async () => {
    for (const resumes of [true, false]) {
      reports = [];
      const told: string[] = [];
      const abort = new AbortController();
      const steps = [{ name: "a", run: () => new Promise<void>(() => undefined) }];
      const plan = {
        kind: "upgrade-k8s",
        title: "",
        steps,
        timeoutMs: 5000,
        command: "talosctl upgrade-k8s --to 1.36.5",
      };
      const given = { ...options(abort.signal), tell: (line: string) => void told.push(line) };
      const failed = assert.rejects(runOperation({ ...plan, resumes }, given));
      while (reports.length === 0) await new Promise((resolve) => setImmediate(resolve));
      abort.abort();
      await failed;
      const line = "interrupted; run the same command again to go on: talosctl upgrade-k8s --to 1.36.5";
      assert.equal(told.includes(line), resumes);
    }
  });
});
