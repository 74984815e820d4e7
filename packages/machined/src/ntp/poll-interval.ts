/** Shortest and longest time between queries, in seconds: exponents 5 and 11 of RFC 5905. */
const minPollSeconds = 32;
const maxPollSeconds = 2048;
/** First wait after no server answered; doubled up to the shortest poll. */
const retrySeconds = 1;
/** Accuracy that the clock should have, in nanoseconds. */
const accuracy = 200_000_000;

/** Outcome of the last query. */
export type PollOutcome =
  | { readonly kind: "sample"; readonly offset: bigint; readonly spike: boolean }
  /** A server asked to be asked less often. */
  | { readonly kind: "rate-limited" }
  /** No server answered. */
  | { readonly kind: "no-answer" };

/**
 * Seconds until the next query: longer while the clock is right, shorter when it drifts.
 *
 * @param previous The last result; zero before the first query.
 */
export function nextPollSeconds(previous: number, outcome: PollOutcome): number {
  const within = (seconds: number): number => Math.min(maxPollSeconds, Math.max(minPollSeconds, seconds));
  if (outcome.kind === "no-answer") {
    return previous === 0 || previous >= minPollSeconds ? retrySeconds : Math.min(previous * 2, minPollSeconds / 2);
  }
  if (outcome.kind === "rate-limited") return within(Math.max(previous, minPollSeconds) * 2);
  const distance = Math.abs(Number(outcome.offset));
  if (previous < minPollSeconds || (!outcome.spike && distance > accuracy)) return minPollSeconds;
  if (outcome.spike || distance > accuracy * 0.75) return within(previous / 2);
  return distance < accuracy * 0.25 ? within(previous * 2) : previous;
}
