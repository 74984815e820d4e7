import type { Clock } from "@talos-ts/base";
import type { ApiConnection } from "@talos-ts/machinery/client";
import { openScreen } from "../terminal/screen.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { followLog } from "./follow-log.ts";
import { pressKey, type Scrollable } from "./key-actions.ts";
import { newNode } from "./node-view.ts";
import { pollNodes } from "./poll-nodes.ts";
import { initialState, withLogLines, type DashboardState } from "./state.ts";
import { paintDashboard } from "./views/dashboard.ts";

/** Time between two pictures at least, so that a busy log costs no more than a quiet one, in ms. */
const frameMs = 50;
/** Ages grow by the second. */
const tickMs = 1000;

export interface DashboardOptions {
  readonly connection: ApiConnection;
  /** Addresses to begin with. */
  readonly nodes: readonly string[];
  /** Shows members beyond those. */
  readonly addMembers: boolean;
  /** Shown when no member is known. */
  readonly endpoint: string;
  readonly intervalMs: number;
  /** True on the console of the machine itself, where no key ends the dashboard. @default {false} */
  readonly ownConsole?: boolean;
  readonly terminal: Terminal;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Shows the cluster until a key or the signal ends it; the terminal is as before then. */
export async function runDashboard(options: DashboardOptions): Promise<void> {
  const { connection, terminal, clock } = options;
  const quit = new AbortController();
  const signal = AbortSignal.any([options.signal, quit.signal]);
  let state: DashboardState = initialState(
    options.nodes.map((address) => newNode(address)),
    options.ownConsole,
  );
  let scrollable: Scrollable = { page: 1, length: 0 };
  let due = false;
  let logAbort: AbortController | undefined;
  let followed = "";

  const update = (change: (now: DashboardState) => DashboardState): void => {
    state = change(state);
    follow();
    if (due || signal.aborted) return;
    due = true;
    void clock.sleep(frameMs, signal).then(draw, () => undefined);
  };

  const draw = (): void => {
    due = false;
    screen.draw((buffer) => void (scrollable = paintDashboard(buffer, state, clock.now())));
  };

  /** Lets the log be the one that is chosen. */
  function follow(): void {
    const { selected, logSource } = state;
    const wanted = JSON.stringify([selected, logSource]);
    if (selected === "" || wanted === followed) return;
    followed = wanted;
    logAbort?.abort();
    logAbort = new AbortController();
    const mine = AbortSignal.any([signal, logAbort.signal]);
    const only = (change: (now: DashboardState) => DashboardState): void => {
      if (!mine.aborted) update(change);
    };
    void followLog({
      connection,
      node: selected,
      source: logSource,
      clock,
      signal: mine,
      onLines: (lines, fresh) => only((now) => withLogLines(fresh ? { ...now, logLines: [] } : now, lines)),
      onFailure: (message) => only((now) => ({ ...now, logFailure: message })),
    });
  }

  using screen = openScreen({
    terminal,
    onResize: draw,
    onKey(key) {
      const outcome = pressKey(state, key, scrollable);
      if (outcome === "quit") return quit.abort();
      if (outcome === state) return;
      const moved = outcome.selected !== state.selected || outcome.screen !== state.screen;
      update(() => outcome);
      if (moved) poller.wake(outcome.selected);
    },
  });
  draw();
  follow();
  const poller = pollNodes({ ...options, signal, state: () => state, update });
  while (!signal.aborted) {
    await clock.sleep(tickMs, signal).catch(() => undefined);
    if (!signal.aborted) draw();
  }
  await poller.ended;
}
