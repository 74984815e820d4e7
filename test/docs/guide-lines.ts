import type { Page } from "./documents.ts";

/** A command line of a page, and what the page shows as its output. */
export interface GuideLine {
  readonly text: string;
  /** Lines that the output has, in this order; `…` stands for any text. Empty when the page shows none. */
  readonly shown: readonly string[];
}

/** Reads the shell blocks of a page in order. A block of text right behind one is the output of its last line. */
export function guideLines({ text }: Page): readonly GuideLine[] {
  const blocks = [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)];
  return blocks.flatMap(({ 1: language = "", 2: body = "", index, 0: whole }, position) => {
    if (!/^(?:sh|bash|shell)$/.test(language)) return [];
    const next = blocks[position + 1];
    const between = next === undefined ? "none" : text.slice(index + whole.length, next.index);
    const shown = next?.[1] === "text" && between.trim() === "" ? (next[2] ?? "").split("\n").filter(Boolean) : [];
    const lines = body.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
    return lines.map((line, at) => ({ text: line, shown: at === lines.length - 1 ? shown : [] }));
  });
}

/** Files that a page shows under their name, as in `# sysctl.yaml` at the top of a block of YAML. */
export function guideFiles({ text }: Page): readonly { readonly name: string; readonly content: string }[] {
  return [...text.matchAll(/^```yaml\n# (\S+\.yaml)\n([\s\S]*?)^```$/gm)].map(([, name = "", content = ""]) => ({
    name,
    content,
  }));
}

/** Commands that only look, in the prose and the tables of a page; `time` asks a server outside and is left out. */
export function lookCommands({ text }: Page): readonly string[] {
  const prose = text.replaceAll(/^```[\s\S]*?^```$/gm, "");
  return [
    ...prose.matchAll(
      /`(talosctl (?:get|service|services|containers|etcd members|etcd alarm list|processes|image ls)\b[^`\n]*)`/g,
    ),
  ]
    .map(([, line = ""]) => line)
    .filter((line) => !/[<…]|cp-1|restart|--follow|--watch/.test(line));
}

/** Reports whether the shown lines are in the output, in order; `…` stands for any text. */
export function hasForm(output: string, shown: readonly string[]): boolean {
  const pattern = shown
    .map((line) =>
      line
        .split("…")
        .map((part) => RegExp.escape(part))
        .join(".*"),
    )
    .join("\\n(?:.*\\n)*?");
  return new RegExp(pattern).test(output);
}
