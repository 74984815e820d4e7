/** A key as it was typed: a printable character, or one of the names below. */
export type Key = string;

/** Sequences that terminals send for keys (xterm, VT220, rxvt and the Linux console), longest first where one begins another. */
const sequences: readonly (readonly [bytes: string, key: Key])[] = [
  ["\u001b[A", "up"],
  ["\u001b[B", "down"],
  ["\u001b[C", "right"],
  ["\u001b[D", "left"],
  ["\u001bOA", "up"],
  ["\u001bOB", "down"],
  ["\u001bOC", "right"],
  ["\u001bOD", "left"],
  ["\u001bOP", "f1"],
  ["\u001bOQ", "f2"],
  ["\u001b[11~", "f1"],
  ["\u001b[12~", "f2"],
  ["\u001b[[A", "f1"],
  ["\u001b[[B", "f2"],
  ["\u001b[5~", "page-up"],
  ["\u001b[6~", "page-down"],
  ["\u001b[H", "home"],
  ["\u001b[F", "end"],
  ["\u001b[1~", "home"],
  ["\u001b[4~", "end"],
  ["\u001b[Z", "shift-tab"],
];

const named: Readonly<Record<string, Key>> = {
  "\t": "tab",
  "\r": "enter",
  "\n": "enter",
  "\u007f": "backspace",
  "\b": "backspace",
};

/** Any other sequence of a terminal: it is dropped whole, so that its rest is not taken for typing. */
// oxlint-disable-next-line no-control-regex -- those are what is looked for
const anySequence = /^\u001b(?:\[\[?[0-?]*[ -/]*[@-~]|O[ -~]|[ -NP-Z\\-~])/;
// oxlint-disable-next-line no-control-regex -- those are what is looked for
const begun = /^\u001b(?:\[\[?[0-?]*[ -/]*|O)?$/;

/** Turns bytes of a terminal into keys; a sequence may come in pieces. */
export interface KeyDecoder {
  /** Returns the keys that are complete with these bytes. */
  add(bytes: Uint8Array): readonly Key[];
  /** Takes what has come so far for whole keys: an ESC that nothing followed is the key `escape`. */
  flush(): readonly Key[];
}

export function createKeyDecoder(): KeyDecoder {
  const decoder = new TextDecoder();
  let waiting = "";
  const take = (whole: boolean): readonly Key[] => {
    const keys: Key[] = [];
    while (waiting !== "") {
      if (!whole && begun.test(waiting)) break;
      const [key, length] = next(waiting);
      if (key !== undefined) keys.push(key);
      waiting = waiting.slice(length);
    }
    return keys;
  };
  return {
    add(bytes) {
      waiting += decoder.decode(bytes, { stream: true });
      return take(false);
    },
    flush: () => take(true),
  };
}

function next(text: string): readonly [key: Key | undefined, length: number] {
  const known = sequences.find(([bytes]) => text.startsWith(bytes));
  if (known !== undefined) return [known[1], known[0].length];
  const unknown = anySequence.exec(text);
  if (unknown !== null) return [undefined, unknown[0].length];
  const character = String.fromCodePoint(text.codePointAt(0) ?? 0);
  return [keyOf(character), character.length];
}

function keyOf(character: string): Key {
  const name = named[character];
  if (name !== undefined) return name;
  if (character === "\u001b") return "escape";
  const code = character.codePointAt(0) ?? 0;
  return code < 0x20 ? `ctrl-${String.fromCodePoint(code + 0x60)}` : character;
}
