/**
 * States of a service. The number is the one of the API; the text is what people see.
 *
 * - `initialized`: loaded, never started
 * - `starting`: about to wait for its conditions
 * - `waiting`: for its conditions
 * - `preparing`: pulling images, building arguments, making the runner
 * - `running`, `stopping`
 * - `finished`, `failed`, `skipped`: over, until started again
 */
export const serviceStates = {
  initialized: { number: 0, text: "Initialized" },
  preparing: { number: 1, text: "Preparing" },
  waiting: { number: 2, text: "Waiting" },
  running: { number: 3, text: "Running" },
  stopping: { number: 4, text: "Stopping" },
  finished: { number: 5, text: "Finished" },
  failed: { number: 6, text: "Failed" },
  skipped: { number: 7, text: "Skipped" },
  starting: { number: 8, text: "Starting" },
} as const satisfies Record<string, { readonly number: number; readonly text: string }>;

export type ServiceState = keyof typeof serviceStates;
