/** The colours of a terminal; what they look like is the choice of its owner. */
export type Color = "default" | "red" | "green" | "yellow" | "blue" | "magenta" | "cyan";

/** Look of a cell. Styles are compared by identity: take the constants of `styles`. */
export interface Style {
  /** Parameters of the SGR sequence (ECMA-48 8.3.117); empty for text as it is. */
  readonly sgr: string;
}

const numbers: Readonly<Record<Color, string>> = {
  default: "",
  red: "31",
  green: "32",
  yellow: "33",
  blue: "34",
  magenta: "35",
  cyan: "36",
};

const made = new Map<string, Style>();

function style(...parts: readonly string[]): Style {
  const sgr = parts.filter((part) => part !== "").join(";");
  const known = made.get(sgr);
  if (known !== undefined) return known;
  const fresh: Style = { sgr };
  made.set(sgr, fresh);
  return fresh;
}

const [bold, dim, reverse] = ["1", "2", "7"] as const;

/** Text in a colour. */
export const colored = (color: Color): Style => style(numbers[color]);

/** Bold text in a colour. */
export const strong = (color: Color = "default"): Style => style(bold, numbers[color]);

export const styles = {
  plain: style(),
  /** What is no longer current, and what is only a frame. */
  dim: style(dim),
  selected: style(reverse),
} as const;
