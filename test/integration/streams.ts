import assert from "node:assert/strict";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { it } from "node:test";
import { eventually, processesWith, type Home } from "./cluster-support.ts";

interface StreamFacts {
  readonly home: Home;
  readonly node: string;
  /** Control group of the node. */
  readonly group: string;
}

/** Commands that go on until they are ended, or have more to say than anybody reads, by the method they call. */
const streams = {
  Logs: ["logs", "--follow", "machined"],
  Dmesg: ["dmesg", "--follow"],
  Events: ["events", "--tail", "-1"],
  Copy: ["copy", "/usr", "-"],
  PacketCapture: ["pcap", "--interface", "eth0", "--output", "-"],
} as const;

const mebibyte = 1024 ** 2;
/** What daemons may grow by while nobody reads: windows of five streams, and garbage. */
const growthBytes = 64 * mebibyte;
/** What a client may need that has received more than a pipe takes: Node.js and the windows of one stream. */
const clientBytes = 200 * mebibyte;

async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${String(pid)}/status`, "utf8");
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024;
}

async function bytesRead(pid: number): Promise<number> {
  return Number(/^rchar: (\d+)$/m.exec(await readFile(`/proc/${String(pid)}/io`, "utf8"))?.[1] ?? 0);
}

/** Waits until a command has written something, and takes no more of it than a stream keeps by itself. */
async function firstOutput({ stdout }: ChildProcess): Promise<void> {
  assert.ok(stdout !== null);
  await once(stdout, "readable", { signal: AbortSignal.timeout(180_000) });
}

/** Waits until a process has read something and no longer does. */
async function untilStuck(pid: number): Promise<number> {
  let before = -1;
  return await eventually(
    async () => {
      const [now, former] = [await bytesRead(pid), before];
      before = now;
      return { now, isStill: now === former };
    },
    ({ isStill, now }) => isStill && now > mebibyte,
  ).then(({ now }) => now);
}

/** Looks at streams whose reader does not read, and at their end when the client is gone. */
export function streamsOfNode(facts: () => StreamFacts): void {
  void it(
    "holds streams back that nobody reads, and ends them when the client goes",
    { timeout: 600_000 },
    async () => {
      const { home, node, group } = facts();
      const brokenOff = async (): Promise<ReadonlyMap<string, number>> => {
        const { stdout } = await home.talosctl("--nodes", node, "audit", "--output", "json");
        // Calls that were broken off; those of this command itself end well.
        const methods = stdout
          .split("\n")
          .filter((line) => line !== "")
          .map((line) => JSON.parse(line) as { readonly method: string; readonly status: number })
          .flatMap(({ method, status }) => (status === 0 ? [] : [method.replace(/^.*\//, "")]));
        return new Map(
          Object.keys(streams).map((method) => [method, methods.filter((each) => each === method).length]),
        );
      };
      const daemons = (await Promise.all(["machined", "apid"].map((name) => processesWith(group, name, "")))).flat();
      assert.equal(daemons.length, 2);
      const memory = (): Promise<number[]> => Promise.all(daemons.map(residentBytes));
      const [earlier, before] = await Promise.all([brokenOff(), memory()]);

      const clients = Object.entries(streams).map(([method, words]) => ({
        method,
        child: home.unread("--nodes", node, ...words),
      }));
      try {
        // Without it a client that is slow to start would have made no call yet.
        await Promise.all(clients.map(({ child }) => firstOutput(child)));
        const copy = clients.find(({ method }) => method === "Copy")?.child.pid ?? 0;
        const read = await untilStuck(copy);
        const after = await memory();
        for (const [index, bytes] of after.entries())
          assert.ok(
            bytes - (before[index] ?? 0) < growthBytes,
            `${String(bytes)} after ${String(before[index])} bytes`,
          );
        assert.ok((await residentBytes(copy)) < clientBytes, "the client does not gather what nobody reads");
        assert.ok(read < clientBytes, `the client read ${String(read)} bytes`);
        assert.deepEqual(await brokenOff(), earlier, "all streams are open");
      } finally {
        for (const { child } of clients) child.kill("SIGKILL");
      }
      await eventually(brokenOff, (now) => [...now].every(([method, count]) => count > (earlier.get(method) ?? 0)));
    },
  );
}
