import { nearest, OsError } from "@talos-ts/base";

/** A refusal of the parser: commander's message, the command it was about, and the flags that this command takes. */
export interface Refusal {
  readonly message: string;
  /** The program and its command, as in `talosctl config merge`. */
  readonly path: string;
  /** Long flags, as in `--output`. */
  readonly flags: readonly string[];
}

type Spelling = readonly [message: RegExp, text: (parts: readonly string[], flags: readonly string[]) => string];

/** Refusals in the words of upstream's parser (cobra), which scripts look for; other messages of commander stay. */
const spellings: readonly Spelling[] = [
  [/^unknown option '([^']*)'/, ([name = ""], flags) => unknownFlag(name, flags)],
  [/^required option '.*?--([\w-]+).*' not specified/, ([name = ""]) => `required flag(s) "${name}" not set`],
  [/^option '.*?(--[\w-]+).*' argument missing/, ([name = ""]) => `flag needs an argument: ${name}`],
  [/^missing required argument '([^']*)'/, ([name = ""]) => `missing argument <${name}>`],
  [
    /^too many arguments.* Expected (\d+) .* got (\d+)/,
    ([most = "", given = ""]) => `accepts at most ${most} arg(s), received ${given}`,
  ],
  [
    /^option '([^']*?)(?: <[^']*)?' argument '([^]*)' is invalid\. Allowed choices are (.*)\.$/,
    ([flag = "", value = "", choices = ""]) =>
      `invalid argument ${JSON.stringify(value)} for "${flag}" flag: expected ${choices}`,
  ],
];

/** Builds the error of a command line that the parser refuses. */
export function usageError({ message, path, flags }: Refusal): OsError {
  const plain = message.replace(/^error: /, "");
  const said = spellings.flatMap(([expected, text]) => {
    const found = expected.exec(plain);
    return found === null ? [] : [text(found.slice(1), flags)];
  });
  return new OsError({
    kind: "invalid-argument",
    code: "cli/usage",
    message: said[0] ?? plain,
    next: `${path} --help`,
  });
}

function unknownFlag(flag: string, flags: readonly string[]): string {
  const meant = flag.startsWith("--") ? nearest(flag, flags) : undefined;
  const text = flag.startsWith("--")
    ? `unknown flag: ${flag}`
    : `unknown shorthand flag: '${flag.slice(1)}' in ${flag}`;
  return `${text}${meant === undefined ? "" : `, did you mean ${meant}?`}`;
}
