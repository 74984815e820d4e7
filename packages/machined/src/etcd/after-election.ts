import { describeError, type Clock } from "@talos-ts/base";

/** Answers of etcd between two leaders. */
const betweenLeaders = /etcdserver: (?:leader changed|no leader)$/;
/** Elections take 1 to 2 s with etcd's default timeout of 1 s; an answer takes no longer than this in all, in ms. */
const electionMs = 5000;
const pauseMs = 250;

/** Asks again while etcd elects a leader, for up to 5 s. Other failures, and the last one, are thrown. */
export async function afterElection<T>(clock: Clock, signal: AbortSignal, ask: () => Promise<T>): Promise<T> {
  const until = clock.monotonic() + electionMs;
  for (;;) {
    try {
      return await ask();
    } catch (err) {
      if (!betweenLeaders.test(describeError(err)) || clock.monotonic() >= until) throw err;
    }
    await clock.sleep(pauseMs, signal);
  }
}
