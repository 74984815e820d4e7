/** A part of the way, in seconds since its begin. */
export interface Phase {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

const width = 50;

/** One line per phase, drawn to scale: what runs at the same time stands below each other. */
export function drawPhases(phases: readonly Phase[]): readonly string[] {
  const whole = Math.max(...phases.map(({ to }) => to));
  const longest = Math.max(...phases.map(({ name }) => name.length));
  const column = (seconds: number): number => Math.round((seconds / whole) * width);
  return phases.map(({ name, from, to }) => {
    const start = Math.min(column(from), width - 1);
    const bar = "█".repeat(Math.max(1, column(to) - start));
    const line = `${" ".repeat(start)}${bar}`.padEnd(width);
    return `${name.padEnd(longest)} ${line} ${(to - from).toFixed(1).padStart(5)} s`;
  });
}
