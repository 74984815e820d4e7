/** Characters that take no cell: marks that combine with the one before, joiners and variation selectors. */
const noWidth = /^(?:\p{Mn}|\p{Me}|\p{Cf})$/u;

/** Ranges of characters that take two cells: East Asian wide and fullwidth ones, and emoji (Unicode TR 11). */
const wide: readonly (readonly [first: number, last: number])[] = [
  [0x1100, 0x115f],
  [0x2e80, 0x303e],
  [0x3041, 0xa4cf],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x1f300, 0x1f64f],
  [0x1f900, 0x1f9ff],
  [0x20000, 0x3fffd],
];

/** Cells that a character takes: 0, 1 or 2. */
export function cellsOf(character: string): 0 | 1 | 2 {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x300) return 1;
  if (noWidth.test(character)) return 0;
  return wide.some(([first, last]) => code >= first && code <= last) ? 2 : 1;
}

/** Escape sequences of terminals: CSI, OSC, and those of two characters. */
// oxlint-disable-next-line no-control-regex -- those are what is looked for
const escapes = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\-_])/g;
const controls = /\p{Cc}/gu;

/**
 * Makes text of others safe to draw: without escape sequences, with tabs as spaces and a space for any other control character, so that
 * a log line cannot steer the terminal.
 */
export function printable(text: string): string {
  return text.replace(escapes, "").replaceAll("\t", "    ").replace(controls, " ");
}
