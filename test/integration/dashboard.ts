import assert from "node:assert/strict";
import { it } from "node:test";
import type { Home } from "./cluster-support.ts";

interface DashboardFacts {
  readonly home: Home;
  /** Addresses and names of two nodes. */
  readonly nodes: readonly [first: DashboardNode, second: DashboardNode];
}

interface DashboardNode {
  readonly address: string;
  readonly name: string;
}

/** Bytes that a terminal sends for keys. */
const keys = { f1: "\u001bOP", f2: "\u001bOQ", right: "\u001b[C", left: "\u001b[D" };

/** Drives the dashboard in a terminal of the kernel, on a live cluster. */
export function dashboard(facts: () => DashboardFacts): void {
  void it("is watched with the dashboard in a terminal: F2, arrows, F1, q", { timeout: 300_000 }, async () => {
    const { home, nodes } = facts();
    const [first, second] = nodes;
    const both = `${first.address},${second.address}`;
    await using terminal = home.terminal("--nodes", both, "dashboard", "--update-interval", "1s");
    await terminal.shows(/Nodes of \S+, 2 of 2 answer/);
    const summary = await terminal.shows(/apid +Running +OK/);
    assert.match(summary, new RegExp(`> ${first.name} +\\S+ +controlplane`));
    assert.match(
      summary,
      new RegExp(`^\\[${first.name} \\| ${second.name}\\] --- \\[Summary\\] --- \\[F2: Monitor\\]`, "m"),
    );

    terminal.type(keys.f2);
    await terminal.shows(/\[F1: Summary\] --- \[Monitor\]/);
    // What the monitor shows comes from several calls.
    await terminal.shows(/ machined *│/);
    await terminal.shows(/─ Processes \(\d+\) ─/);
    await terminal.shows(new RegExp(`^${first.name} \\(v1\\.13\\.9\\): uptime`));

    terminal.type(keys.right);
    await terminal.shows(new RegExp(`^${second.name} \\(v1\\.13\\.9\\): uptime`));
    terminal.type(keys.f1);
    await terminal.shows(new RegExp(`> ${second.name} +\\S+ +worker`));
    terminal.type(keys.left);
    await terminal.shows(new RegExp(`> ${first.name} `));

    terminal.type("q");
    assert.equal(await terminal.ended, 0);
    assert.ok(terminal.written().includes("\u001b[?1049l"), "the screen from before is back");
  });
}
