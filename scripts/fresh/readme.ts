/** The cluster that takes the place of the README's one, so that both can run side by side. */
export interface Substitute {
  readonly name: string;
  readonly subnet: string;
}

/** Command that is run for a line of the README. */
export interface ReadmeStep {
  /** The line as the README has it. */
  readonly line: string;
  /** Command to run instead; absent when the line is left out. */
  readonly command?: string;
  /** Why a line is left out or replaced. */
  readonly reason?: string;
}

interface Rule {
  readonly pattern: RegExp;
  readonly reason: string;
  /** Returns what to run instead; absent for lines that are left out. */
  readonly replace?: (line: string, substitute: Substitute) => string;
}

/** Lines that are not run as they stand. */
const rules: readonly Rule[] = [
  {
    pattern: /^npm run up$/,
    reason: "another name and subnet",
    replace: (line, { name, subnet }) => `${line} -- --name ${name} --subnet ${subnet}`,
  },
  { pattern: /^npm test$/, reason: "its set-up; the rest is what runs this", replace: () => "npm run setup" },
  { pattern: /^npm run (?:ok|bench)\b/, reason: "part of npm test, or a measurement" },
];

/**
 * Returns the lines of the README's shell blocks in order.
 *
 * @throws when there is none to make a cluster, to call it, or to remove it: the README changed its shape.
 */
export function readmeSteps(readme: string, substitute: Substitute): ReadmeStep[] {
  const lines = [...readme.matchAll(/^```bash\n([\s\S]*?)^```$/gm)]
    .flatMap(([, body = ""]) => body.split("\n"))
    .map((line) => line.replace(/\s+#.*$/, "").trim())
    .filter((line) => line !== "");
  const needed = {
    "npm run up": lines,
    "npm test": lines,
    "npm run down": [...readme.matchAll(/`([^`\n]+)`/g)].map(([, code]) => code),
  };
  for (const [line, places] of Object.entries(needed))
    if (!places.includes(line)) throw new Error(`README.md does not tell people to run "${line}"`);
  if (!lines.some((line) => line.startsWith("talosctl "))) throw new Error("README.md has no line with talosctl");
  return lines.map((line) => stepFor(line, substitute));
}

function stepFor(line: string, substitute: Substitute): ReadmeStep {
  const rule = rules.find(({ pattern }) => pattern.test(line));
  if (rule !== undefined) {
    const command = rule.replace?.(line, substitute);
    return { line, reason: rule.reason, ...(command !== undefined && { command }) };
  }
  const prefix = substitute.subnet.replace(/\d+\/\d+$/, "");
  return { line, command: line.replaceAll("10.5.0.", prefix) };
}
