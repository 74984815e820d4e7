import assert from "node:assert/strict";
import type { ReapedOrphan } from "../processes/processes.ts";
import type { ConformanceSuites } from "./subject.ts";

export const processesSuites: ConformanceSuites = {
  Processes: {
    "startReaper() takes orphans and tells how they ended": async (subject) => {
      const { processes } = subject.linux;
      processes.becomeSubreaper();
      const { promise, resolve } = Promise.withResolvers<ReapedOrphan>();
      using _reaper = processes.startReaper(resolve);
      const orphan = await subject.makeOrphan(7);
      await orphan.release();
      assert.deepEqual(await promise, { pid: orphan.pid, exitCode: 7, signal: undefined });
      assert.throws(() => processes.kill(orphan.pid, 0), { code: "process/esrch" });
    },
    "startReaper() leaves a claimed pid alone until the claim is given up": async (subject) => {
      const { processes } = subject.linux;
      processes.becomeSubreaper();
      const reaped: number[] = [];
      using reaper = processes.startReaper(({ pid }) => reaped.push(pid));
      const orphan = await subject.makeOrphan(0);
      const claim = reaper.claim(orphan.pid);
      await orphan.release();
      reaper.scan();
      assert.deepEqual(reaped, []);
      claim[Symbol.dispose]();
      assert.deepEqual(reaped, [orphan.pid]);
    },
    "kill() ends a process, and asking for one that is not there says so": async (subject) => {
      await using running = await subject.makeProcess();
      subject.linux.processes.kill(running.pid, 0);
      subject.linux.processes.kill(running.pid, "SIGKILL");
      assert.throws(() => subject.linux.processes.kill(0x3fffff, "SIGTERM"), {
        code: "process/esrch",
        message: /^Cannot send SIGTERM to process 4194303: /,
      });
    },
    "setLimit() is what limit() gives": async (subject) => {
      await using running = await subject.makeProcess();
      const { processes } = subject.linux;
      const { hard } = processes.limit(running.pid, "openFiles");
      processes.setLimit(running.pid, "openFiles", { soft: 64n, hard });
      assert.deepEqual(processes.limit(running.pid, "openFiles"), { soft: 64n, hard });
      assert.throws(() => processes.setLimit(running.pid, "openFiles", { soft: 64n, hard: 32n }), {
        code: "process/einval",
      });
    },
    "setOomScoreAdjustment() raises, and reports a refused lowering": async (subject) => {
      await using running = await subject.makeProcess();
      const { processes } = subject.linux;
      assert.deepEqual(await processes.setOomScoreAdjustment(running.pid, 500), { applied: true });
      assert.equal(await processes.oomScoreAdjustment(running.pid), 500);
      const lowered = await processes.setOomScoreAdjustment(running.pid, -900);
      if (!lowered.applied) assert.equal(lowered.error.kind, "permission-denied");
      assert.equal(await processes.oomScoreAdjustment(running.pid), lowered.applied ? -900 : 500);
    },
    "peerCredentials() tells who is at the other end": async (subject) => {
      await using connected = await subject.makeSocket();
      const { pid, uid, gid } = subject.linux.processes.peerCredentials(connected.socket);
      assert.deepEqual({ pid, uid, gid }, { pid: process.pid, uid: process.getuid?.(), gid: process.getgid?.() });
    },
  },
};
