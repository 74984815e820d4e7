/**
 * Characters that the fonts of the Linux console lack, and the nearest one of those they have. Its built-in fonts and the one of a VGA
 * card have the 256 characters of code page 437: frames, shades, full and half blocks, but no eighths of a block.
 */
const substitutes: Readonly<Record<string, string>> = {
  "▁": "_",
  "▂": "_",
  "▃": "▄",
  "▅": "▄",
  "▆": "█",
  "▇": "█",
  "…": ".",
};

const missing = new RegExp(`[${Object.keys(substitutes).join("")}]`, "gu");

/** Replaces characters that the Linux console cannot show. Each takes one cell, as the one it stands for. */
export function consoleGlyphs(text: string): string {
  return text.replace(missing, (character) => substitutes[character] ?? character);
}
