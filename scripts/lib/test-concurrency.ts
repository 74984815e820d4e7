import { availableParallelism } from "node:os";

/**
 * Returns the flag of `node --test` by which every core runs a file.
 *
 * The default leaves one core to the runner, which has little to do: on a machine with two cores files would run one after another.
 */
export function testConcurrency(): string {
  return `--test-concurrency=${String(availableParallelism())}`;
}
