import type { Progress } from "@talos-ts/host";

/** Shows long work on standard error, one line when a stage begins and one when it ends. */
export const lineProgress: Progress = ({ stage, state, detail }) => {
  if (state === "step") return;
  const ends = { start: " …", done: ": done", cached: ": cached" } as const;
  process.stderr.write(`${stage}${detail === undefined ? "" : ` (${detail})`}${ends[state]}\n`);
};
