import { OsError } from "@talos-ts/base";
import { hasErrno } from "../ffi/errno.ts";
import type { TextFiles } from "../files/text-files.ts";
import type { Processes } from "./processes.ts";

/** Returns how likely the kernel is to kill a process when memory runs out. */
export function createOomScores(files: TextFiles): Pick<Processes, "setOomScoreAdjustment" | "oomScoreAdjustment"> {
  const scoreFile = (pid: number): string => `/proc/${String(pid)}/oom_score_adj`;
  return {
    async setOomScoreAdjustment(pid, score) {
      try {
        await files.write(scoreFile(pid), String(score));
        return { applied: true };
      } catch (err) {
        if (!hasErrno(err, "EACCES") && !hasErrno(err, "EPERM")) throw err;
        return { applied: false, error: OsError.from(err) };
      }
    },
    oomScoreAdjustment: async (pid) => Number(await files.read(scoreFile(pid))),
  };
}
