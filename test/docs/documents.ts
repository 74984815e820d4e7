import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../scripts/lib/step.ts";

/** A page by its path in the repository. */
export interface Page {
  readonly path: string;
  readonly text: string;
}

/** A command line of a page, as words. */
export interface CommandLine {
  readonly path: string;
  readonly text: string;
  readonly words: readonly string[];
}

/** Every page that people write or read. */
export function pages(): readonly Page[] {
  const docs = readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".md"))
    .map((file) => `docs/${file}`);
  return ["README.md", "CONTRIBUTING.md", ...docs.toSorted()].map((path) => ({
    path,
    text: readFileSync(join(root, path), "utf8"),
  }));
}

/** The pages whose command lines a newcomer follows: the README and the guides. */
export function guidePages(): readonly Page[] {
  return pages().filter(({ path }) => path === "README.md" || path.startsWith("docs/guides/"));
}

/** Lines of shell blocks and inline code that call the program. Lines with `…` are patterns, not commands. */
export function commandLines(page: Page, program: string): readonly CommandLine[] {
  const blocks = [...page.text.matchAll(/^```(?:sh|bash)\n([\s\S]*?)^```$/gm)].flatMap(([, body = ""]) =>
    body.split("\n"),
  );
  const prose = page.text.replaceAll(/^```[\s\S]*?^```$/gm, "");
  const inline = [...prose.matchAll(/`([^`\n]+)`/g)].map(([, code = ""]) => code);
  return [...blocks, ...inline]
    .filter((text) => text.startsWith(`${program} `) && !text.includes("…"))
    .map((text) => ({ path: page.path, text, words: splitWords(text).slice(program.split(" ").length) }));
}

/** Words as a shell sees them, up to a pipe, a redirection or a comment. */
export function splitWords(text: string): readonly string[] {
  const words: string[] = [];
  for (const [token, quoted] of text.matchAll(/((?:'[^']*'|"[^"]*"|[^\s'"])+)/g)) {
    if (/^(?:[|>]|>>|&&|#|<$)/.test(token)) break;
    words.push((quoted ?? "").replaceAll(/'([^']*)'|"([^"]*)"/g, "$1$2"));
  }
  return words;
}
