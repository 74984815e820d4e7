import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { describe, it } from "node:test";
import { createManualClock } from "@talos-ts/base";
import { temporaryDirectory } from "@talos-ts/host/testing";
import { createLogRing, type LogRing } from "../logs/log-ring.ts";
import { processRunner } from "./process.ts";

const node = (script: string): readonly string[] => [process.execPath, "-e", script];
const ignore = (): undefined => undefined;

async function textOf(log: LogRing): Promise<string> {
  let text = "";
  for await (const chunk of log.read({ signal: new AbortController().signal, follow: false })) text += chunk.toString();
  return text;
}

describe("processRunner()", () => {
  it("keeps what the process prints and ends with it", async () => {
    const log = createLogRing();
    const lines: string[] = [];
    const pids: number[] = [];
    let released = false;
    const adopt = (pid: number): Disposable => {
      pids.push(pid);
      return { [Symbol.dispose]: () => void (released = true) };
    };
    const script = "console.log('out'); console.error('err', process.env.A, process.env.HOME)";
    const runner = processRunner({ id: "x", args: node(script), env: async () => ({ A: "1" }), log, adopt });
    await runner.run((state, message) => lines.push(`${state}: ${message}`), new AbortController().signal);
    assert.deepEqual(log.lastLines(9).toSorted(), ["err 1 undefined", "out"]);
    assert.match(lines[0] ?? "", /^running: Process Process\(\[".*node" "-e" ".*"\]\) started with PID \d+$/);
    assert.ok((pids[0] ?? 0) > 0);
    assert.ok(released);
  });
  it("fails with the exit code and the last line", async () => {
    const runner = processRunner({
      id: "x",
      args: node("console.log('no disk'); process.exit(3)"),
      log: createLogRing(),
    });
    await assert.rejects(runner.run(ignore, new AbortController().signal), {
      message: 'process "x" failed: exit code 3 (last log "no disk")',
    });
  });
  it("gives the process a terminal for input and output; its log has the errors", async () => {
    await using folder = await temporaryDirectory();
    const terminal = `${folder.path}/tty`;
    await writeFile(terminal, "typed");
    const script = "console.log(fs.readFileSync(0, 'utf8').length, 'drawn'); console.error('logged')";
    const log = createLogRing();
    await processRunner({ id: "x", args: node(script), log, terminal }).run(ignore, new AbortController().signal);
    assert.equal(await readFile(terminal, "utf8"), "typed5 drawn\n");
    assert.equal(await textOf(log), "logged\n");
    const runner = processRunner({ id: "x", args: node("throw 'logged'"), log, terminal: `${terminal}9` });
    await assert.rejects(runner.run(ignore, new AbortController().signal), { code: "service/terminal" });
  });
  it("lets a process be another user, without any capability", { skip: process.getuid?.() !== 0 }, async () => {
    const log = createLogRing();
    const ids = "process.getuid(), process.getgid(), process.getgroups().join(), os.getPriority()";
    const script = `console.log(${ids}); console.log(fs.readFileSync("/proc/self/status", "utf8"))`;
    const user = { uid: 52, gid: 50 };
    const runner = processRunner({ id: "x", args: node(script), log, user, priority: 10 });
    assert.match(runner.describe(), /^Process\(\["[^"]*node"/);
    await runner.run(ignore, new AbortController().signal);
    const text = await textOf(log);
    assert.match(text, /^52 50 50 10$/m);
    for (const name of ["CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"]) {
      assert.match(text, new RegExp(`^${name}:\\s+0+$`, "m"), name);
    }
    assert.match(text, /^NoNewPrivs:\s+1$/m);
  });
  it("fails clearly when the program is missing", async () => {
    const runner = processRunner({ id: "x", args: ["/no/such/program"], log: createLogRing() });
    await assert.rejects(runner.run(ignore, new AbortController().signal), { code: "service/cannot-start" });
  });
  it("stops with SIGTERM, then with SIGKILL", async () => {
    const clock = createManualClock();
    const log = createLogRing();
    const abort = new AbortController();
    const lines: string[] = [];
    const script =
      "process.on('SIGTERM', () => console.log('ignored')); console.log('ready'); setInterval(() => {}, 1e6)";
    const runner = processRunner({ id: "x", args: node(script), log, clock });
    const running = runner.run(
      (state, message) => lines.push(`${state}: ${message.split(" ").slice(0, 2).join(" ")}`),
      abort.signal,
    );
    const said = async (word: string): Promise<void> => {
      for await (const chunk of log.read({ signal: AbortSignal.timeout(120_000), follow: true })) {
        if (chunk.toString().includes(word)) return;
      }
    };
    await said("ready");
    abort.abort();
    await said("ignored");
    await clock.advance(10_000);
    await running;
    assert.deepEqual(lines.slice(1), ["stopping: Sending SIGTERM", "stopping: Sending SIGKILL"]);
  });
});
