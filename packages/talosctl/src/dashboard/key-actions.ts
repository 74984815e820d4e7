import type { Key } from "../terminal/keys.ts";
import { logSources, type DashboardState } from "./state.ts";

/** Size of what can be scrolled, in rows, as it was drawn last. */
export interface Scrollable {
  readonly page: number;
  readonly length: number;
}

/** Result of a key: the next state, or the end. */
export type Outcome = DashboardState | "quit";

type Action = (state: DashboardState, scrollable: Scrollable) => Outcome;

const neighbour =
  (step: number): Action =>
  (state) => {
    const { nodes, selected } = state;
    const index = nodes.findIndex(({ address }) => address === selected);
    const next = nodes[(index + step + nodes.length) % Math.max(1, nodes.length)];
    return next === undefined || next.address === selected ? state : lookAt(state, { selected: next.address });
  };

/** Another node or another log: the lines are those of neither. */
const lookAt = (state: DashboardState, change: Partial<DashboardState>): DashboardState => ({
  ...state,
  ...change,
  scroll: 0,
  logLines: [],
  logFailure: undefined,
});

const show =
  (screen: DashboardState["screen"]): Action =>
  (state) => ({ ...state, screen, scroll: 0 });

/** Scrolls down by so many rows. The log is counted from its end, so that new lines come into view. */
const scroll =
  (rows: (page: number) => number): Action =>
  (state, { page, length }) => {
    const down = rows(page);
    const wanted = state.scroll + (state.screen === "summary" ? -down : down);
    return { ...state, scroll: Math.max(0, Math.min(wanted, length - page)) };
  };

const nextLog =
  (step: number): Action =>
  (state) => {
    const sources = logSources(state);
    const index = sources.indexOf(state.logSource);
    return lookAt(state, { logSource: sources[(index + step + sources.length) % sources.length] ?? state.logSource });
  };

const quit: Action = (state) => (state.ownConsole ? state : "quit");
const far = Number.MAX_SAFE_INTEGER;

/** Keys and what they do. Those up to Ctrl-B and F1, F2, q and Ctrl-C are the keys of Talos' dashboard. */
const actions: Readonly<Record<Key, Action>> = {
  h: neighbour(-1),
  left: neighbour(-1),
  l: neighbour(1),
  right: neighbour(1),
  j: scroll(() => 1),
  down: scroll(() => 1),
  k: scroll(() => -1),
  up: scroll(() => -1),
  "ctrl-d": scroll((page) => Math.ceil(page / 2)),
  "ctrl-u": scroll((page) => -Math.ceil(page / 2)),
  "ctrl-f": scroll((page) => page),
  "page-down": scroll((page) => page),
  "ctrl-b": scroll((page) => -page),
  "page-up": scroll((page) => -page),
  g: scroll(() => -far),
  home: scroll(() => -far),
  G: scroll(() => far),
  end: scroll(() => far),
  f1: show("summary"),
  "1": show("summary"),
  f2: show("monitor"),
  "2": show("monitor"),
  tab: nextLog(1),
  "shift-tab": nextLog(-1),
  q: quit,
  "ctrl-c": quit,
};

/** Returns the state after a key; the same one when the key means nothing. */
export function pressKey(state: DashboardState, key: Key, scrollable: Scrollable): Outcome {
  return actions[key]?.(state, scrollable) ?? state;
}
