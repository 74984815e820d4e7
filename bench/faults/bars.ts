/** Times of one kind of fault, in seconds. */
export interface Bars {
  readonly name: string;
  readonly values: readonly Bar[];
}

export interface Bar {
  readonly p50: number;
  readonly max: number;
}

const layout = { left: 190, width: 560, bar: 9, gap: 12, top: 56, right: 60 } as const;
const colours = ["#3b6ea5", "#c46a2d", "#6b8f5e"] as const;

/**
 * Draws groups of bars as an SVG picture: the bar is the median, the thin line behind it goes to the longest. All have the same
 * scale, so that kinds can be compared.
 */
export function drawBars(title: string, series: readonly string[], groups: readonly Bars[]): string {
  const { left, width, bar, gap, top, right } = layout;
  const longest = Math.max(1, ...groups.flatMap(({ values }) => values.map(({ max }) => max)));
  const step = niceStep(longest);
  const end = Math.ceil(longest / step) * step;
  const x = (seconds: number): number => left + (seconds / end) * width;
  const height = top + groups.length * (series.length * bar + gap) + 30;
  const bottom = height - 30;
  const grid = Array.from({ length: Math.round(end / step) + 1 }, (_, index) => index * step).map(
    (seconds) =>
      `<line x1="${px(x(seconds))}" y1="${String(top - 6)}" x2="${px(x(seconds))}" y2="${px(bottom)}" stroke="#ddd"/>` +
      `<text x="${px(x(seconds))}" y="${px(bottom + 16)}" text-anchor="middle">${String(seconds)} s</text>`,
  );
  const legend = series.map(
    (name, index) =>
      `<rect x="${String(left + index * 190)}" y="28" width="10" height="10" fill="${colours[index] ?? "#000"}"/>` +
      `<text x="${String(left + 15 + index * 190)}" y="37">${escape(name)}</text>`,
  );
  const bars = groups.map(({ name, values }, group) => {
    const y = top + group * (series.length * bar + gap);
    const label = `<text x="${String(left - 8)}" y="${px(y + (series.length * bar) / 2 + 4)}" text-anchor="end">${escape(name)}</text>`;
    const drawn = values.map(({ p50, max }, index) => {
      const at = y + index * bar;
      const colour = colours[index] ?? "#000";
      return (
        `<line x1="${px(x(0))}" y1="${px(at + bar / 2)}" x2="${px(x(max))}" y2="${px(at + bar / 2)}" stroke="${colour}" stroke-opacity="0.5"/>` +
        `<rect x="${px(x(0))}" y="${px(at + 1)}" width="${px(x(p50) - x(0))}" height="${String(bar - 2)}" fill="${colour}"/>`
      );
    });
    return [label, ...drawn].join("\n");
  });
  const whole = left + width + right;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${String(whole)} ${px(height)}" width="${String(whole)}" font-family="sans-serif" font-size="11">`,
    `<rect width="100%" height="100%" fill="#fff"/>`,
    `<text x="${String(left)}" y="18" font-size="13" font-weight="bold">${escape(title)}</text>`,
    ...legend,
    ...grid,
    ...bars,
    "</svg>",
    "",
  ].join("\n");
}

const px = (value: number): string => String(Math.round(value * 10) / 10);

/** A round number of seconds that divides the scale into four to ten parts. */
function niceStep(longest: number): number {
  return [0.5, 1, 2, 5, 10, 20, 30, 60].find((step) => longest / step <= 10) ?? 120;
}

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
