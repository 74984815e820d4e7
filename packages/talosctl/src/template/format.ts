import { templateError } from "./template-error.ts";
import { isList, showValue, type TemplateValue } from "./values.ts";

/** Formats values as Go's `printf` does: verbs d, f, q, s and v with flags `-` and `0`, width and precision. */
export function formatValues(format: string, args: readonly TemplateValue[]): string {
  const left = [...args];
  const text = format.replaceAll(/%([-0]*)(\d*)(?:\.(\d+))?([a-zA-Z%])/g, (whole, flags, width, precision, verb) => {
    if (verb === "%") return "%";
    if (left.length === 0) throw templateError(`printf ${JSON.stringify(format)}: ${whole} has no value`);
    const layout = { flags: String(flags), width: Number(width), precision: precision as string | undefined };
    return formatOne(String(verb), layout, left.shift());
  });
  if (left.length > 0) throw templateError(`printf ${JSON.stringify(format)}: more values than verbs`);
  return text;
}

interface Layout {
  readonly flags: string;
  readonly width: number;
  readonly precision: string | undefined;
}

/** Each element of a list is formatted for itself. */
function formatOne(verb: string, layout: Layout, value: TemplateValue): string {
  if (isList(value)) return `[${value.map((each) => formatOne(verb, layout, each)).join(" ")}]`;
  const text = bare(verb, layout.precision, value);
  if (layout.flags.includes("-")) return text.padEnd(layout.width);
  return text.padStart(layout.width, layout.flags.includes("0") && typeof value === "number" ? "0" : " ");
}

function bare(verb: string, precision: string | undefined, value: TemplateValue): string {
  if (verb === "s" || verb === "v" || verb === "q") {
    const text = showValue(value);
    const cut = precision === undefined || verb === "v" ? text : text.slice(0, Number(precision));
    return verb === "q" ? JSON.stringify(cut) : cut;
  }
  if (verb !== "d" && verb !== "f") throw templateError(`printf: %${verb} is not supported`);
  if (typeof value !== "number") throw templateError(`printf: %${verb} wants a number, not ${showValue(value)}`);
  if (verb === "f") return value.toFixed(precision === undefined ? 6 : Number(precision));
  if (!Number.isInteger(value)) throw templateError(`printf: %d wants a whole number, not ${String(value)}`);
  return String(value);
}
