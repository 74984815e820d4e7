const names: Readonly<Record<string, string>> = { "\n": String.raw`\n`, "\r": String.raw`\r`, "\t": String.raw`\t` };

/** Control characters: those that move the cursor, begin escape sequences or ring. */
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const controls = /[\u0000-\u001f\u007f-\u009f]/g;

/**
 * Writes control characters of a text out (`\n`, `\x1b`), so that it stays on its line and cannot speak to a terminal. Names of files and
 * arguments of processes are chosen by whoever made them.
 */
export function visibleText(text: string): string {
  return text.replaceAll(
    controls,
    (character) => names[character] ?? `\\x${character.charCodeAt(0).toString(16).padStart(2, "0")}`,
  );
}
