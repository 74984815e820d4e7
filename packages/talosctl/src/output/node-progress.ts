import type { Invocation, OptionDefinition } from "../command.ts";
import { textOption } from "../values.ts";

/** Flag of commands that follow machines for a while. */
export const progressOption: OptionDefinition = {
  flags: "--progress <mode>",
  description: "how to show progress: auto keeps one line for each node on a terminal, plain writes every step",
  choices: ["auto", "plain"],
  default: "auto",
};

/** Shows what nodes are at. Disposing leaves the last state of each on the terminal. */
export interface NodeProgress extends Disposable {
  readonly tell: (node: string, text: string) => void;
}

/** Shows one line per step, or on a terminal one line per node that changes in place. */
export function createNodeProgress(invocation: Pick<Invocation, "io" | "options">): NodeProgress {
  const { io } = invocation;
  const plain = (node: string, text: string): void => io.err(`${node}: ${text}\n`);
  if (!io.isTerminal || textOption(invocation, "progress") === "plain") {
    return { tell: plain, [Symbol.dispose]: () => undefined };
  }
  const latest = new Map<string, string>();
  return {
    tell(node, text) {
      const up = latest.size === 0 ? "" : `\u001b[${String(latest.size)}A`;
      latest.set(node, text);
      const lines = [...latest].map(([name, state]) => `\u001b[K${`${name}: ${state}`.slice(0, io.columns - 1)}\n`);
      io.err(`${up}${lines.join("")}`);
    },
    [Symbol.dispose]: () => latest.clear(),
  };
}
