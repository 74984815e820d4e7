import { OsError } from "@talos-ts/base";
import { isTable, type TomlTable, type TomlValue } from "./value.ts";

interface OpenTable {
  [key: string]: TomlValue;
}

const escapes: Readonly<Record<string, string>> = {
  b: "\b",
  t: "\t",
  n: "\n",
  f: "\f",
  r: "\r",
  e: "\u001b",
  '"': '"',
  "\\": "\\",
};

/** Values by how they are written; the first that fits is taken. */
const scalars: readonly (readonly [pattern: RegExp, read: (text: string) => TomlValue])[] = [
  [/^(?:true|false)(?![\w.-])/, (text) => text === "true"],
  [
    /^[+-]?(?:inf|nan)(?![\w.-])/,
    (text) => (text.endsWith("nan") ? Number.NaN : text.startsWith("-") ? -Infinity : Infinity),
  ],
  [/^0x[\da-fA-F_]+(?![\w.-])/, (text) => integer(text)],
  [/^0o[0-7_]+(?![\w.-])/, (text) => integer(text)],
  [/^0b[01_]+(?![\w.-])/, (text) => integer(text)],
  [/^[+-]?\d[\d_]*(?:\.\d[\d_]*)?[eE][+-]?\d[\d_]*(?![\w.-])/, (text) => Number(text.replaceAll("_", ""))],
  [/^[+-]?\d[\d_]*\.\d[\d_]*(?![\w.:-])/, (text) => Number(text.replaceAll("_", ""))],
  [/^[+-]?\d[\d_]*(?![\w.:-])/, (text) => integer(text)],
];

function integer(text: string): number | bigint {
  const value = BigInt(text.replaceAll("_", "").replace(/^[+-]/, ""));
  const signed = text.startsWith("-") ? -value : value;
  return Number.isSafeInteger(Number(signed)) ? Number(signed) : signed;
}

/** Reads a TOML document. @throws {OsError} `toml/malformed`, with the line */
export function parseToml(source: string): TomlTable {
  const root: OpenTable = Object.create(null) as OpenTable;
  let table = root;
  let at = 0;

  function fail(why: string): never {
    const line = source.slice(0, at).split("\n").length;
    throw new OsError({
      kind: "invalid-argument",
      code: "toml/malformed",
      message: `Cannot read TOML at line ${String(line)}: ${why}`,
    });
  }

  const rest = (): string => source.slice(at);
  const accept = (text: string): boolean => {
    if (!source.startsWith(text, at)) return false;
    at += text.length;
    return true;
  };
  const expect = (text: string): void => {
    if (!accept(text)) fail(`expected "${text}", found "${source[at] ?? "the end"}"`);
  };
  const skipSpace = (): void => {
    while (source[at] === " " || source[at] === "\t") at++;
  };
  /** Space, line ends and comments. */
  const skipLines = (): void => {
    for (;;) {
      const space = /^(?:[ \t\r\n]+|#[^\n]*)/.exec(rest())?.[0];
      if (space === undefined) return;
      at += space.length;
    }
  };
  const endLine = (): void => {
    skipSpace();
    const comment = /^#[^\n]*/.exec(rest())?.[0];
    at += comment?.length ?? 0;
    if (at < source.length && !accept("\n") && !accept("\r\n"))
      fail(`expected the end of the line, found "${source[at] ?? ""}"`);
  };

  function readEscape(): string {
    const letter = source[at++] ?? "";
    const digits = { x: 2, u: 4, U: 8 }[letter];
    if (digits === undefined) return escapes[letter] ?? fail(`unknown escape "\\${letter}"`);
    const code = source.slice(at, at + digits);
    const point = /^[\da-fA-F]+$/.test(code) && code.length === digits ? parseInt(code, 16) : Number.NaN;
    if (!(point <= 0x10ffff) || (point >= 0xd800 && point <= 0xdfff)) fail(`"${code}" is no character`);
    at += digits;
    return String.fromCodePoint(point);
  }

  function readBasic(end: string): string {
    let text = "";
    for (;;) {
      if (at >= source.length) fail("a string does not end");
      // Quotes right before the end of a long string belong to it.
      if (source.startsWith(end, at) && !(end.length === 3 && source[at + 3] === '"')) {
        at += end.length;
        return text;
      }
      const character = source[at++] ?? "";
      if (character === "\n" && end.length === 1) fail("a string does not end on its line");
      if (character !== "\\") {
        text += character;
        continue;
      }
      const gap = end.length === 3 ? /^[ \t]*\r?\n\s*/.exec(rest())?.[0] : undefined;
      if (gap === undefined) text += readEscape();
      else at += gap.length;
    }
  }

  function readLiteral(end: string): string {
    const stop = source.indexOf(end, at);
    const text = source.slice(at, stop === -1 ? undefined : stop);
    if (stop === -1 || (end.length === 1 && text.includes("\n"))) fail("a string does not end");
    at = stop + end.length;
    return text;
  }

  function readString(): string | undefined {
    const long = accept('"""') ? '"""' : accept("'''") ? "'''" : undefined;
    if (long !== undefined) {
      if (!accept("\n")) accept("\r\n");
      return long === '"""' ? readBasic(long) : readLiteral(long);
    }
    if (accept('"')) return readBasic('"');
    return accept("'") ? readLiteral("'") : undefined;
  }

  function readKey(): readonly string[] {
    const keys: string[] = [];
    do {
      skipSpace();
      const bare = /^[\w-]+/.exec(rest())?.[0];
      at += bare?.length ?? 0;
      keys.push(bare ?? readString() ?? fail(`expected a key, found "${source[at] ?? "the end"}"`));
      skipSpace();
    } while (accept("."));
    return keys;
  }

  function readArray(): readonly TomlValue[] {
    const items: TomlValue[] = [];
    for (;;) {
      skipLines();
      if (accept("]")) return items;
      items.push(readValue());
      skipLines();
      if (!accept(",")) {
        expect("]");
        return items;
      }
    }
  }

  function readInlineTable(): TomlTable {
    const inner: OpenTable = Object.create(null) as OpenTable;
    skipSpace();
    if (accept("}")) return inner;
    do readPair(inner);
    while (accept(","));
    expect("}");
    return inner;
  }

  function readValue(): TomlValue {
    const text = readString();
    if (text !== undefined) return text;
    if (accept("[")) return readArray();
    if (accept("{")) return readInlineTable();
    for (const [pattern, read] of scalars) {
      const match = pattern.exec(rest())?.[0];
      if (match === undefined) continue;
      at += match.length;
      return read(match);
    }
    return fail(`"${/^[^\n,\]}#]*/.exec(rest())?.[0].trim() ?? ""}" is no value`);
  }

  /** The table of that name below another, made if there is none; of an array the last one. */
  function descend(from: OpenTable, key: string): OpenTable {
    const found = from[key];
    if (found === undefined) return (from[key] = Object.create(null) as OpenTable);
    const last = Array.isArray(found) ? (found as readonly TomlValue[]).at(-1) : found;
    return isTable(last) ? last : fail(`"${key}" is no table`);
  }

  function readPair(into: OpenTable): void {
    const keys = readKey();
    expect("=");
    skipSpace();
    const key = keys.at(-1) ?? "";
    const target = keys.slice(0, -1).reduce(descend, into);
    const value = readValue();
    if (Object.hasOwn(target, key)) fail(`"${key}" is there twice`);
    target[key] = value;
    skipSpace();
  }

  function readHeader(): void {
    const isArray = accept("[");
    const keys = readKey();
    expect(isArray ? "]]" : "]");
    if (!isArray) {
      table = keys.reduce(descend, root);
      return;
    }
    const key = keys.at(-1) ?? "";
    const parent = keys.slice(0, -1).reduce(descend, root);
    const list = parent[key] ?? [];
    if (!Array.isArray(list)) fail(`"${key}" is no array of tables`);
    table = Object.create(null) as OpenTable;
    parent[key] = [...(list as readonly TomlValue[]), table];
  }

  for (skipLines(); at < source.length; skipLines()) {
    if (accept("[")) readHeader();
    else readPair(table);
    endLine();
  }
  return root;
}
