/** A module that a Go program was built from. */
export interface GoModule {
  readonly path: string;
  readonly version: string;
}

/** Statement of a Go program about its own build (`go version -m`). */
export interface GoBuildInfo {
  /** Version of the compiler and the standard library, as `go1.26.6`. */
  readonly goVersion: string;
  /** The main module, unless it has no version, and all dependencies, replaced ones as what they are replaced by. */
  readonly modules: readonly GoModule[];
}

const magic = Buffer.from("\xff Go buildinf:", "latin1");
/** The header is aligned, so the same bytes elsewhere, as in a program that reads build info, are not taken for it. */
const alignment = 16;
const headerSize = 32;
const inlineStrings = 0x2;
/** The module text stands between two marks of this size. */
const markSize = 16;

/** Reads the build info of a Go program; undefined for any other file. Programs before Go 1.18 are not read. */
export function goBuildInfo(program: Buffer): GoBuildInfo | undefined {
  for (let at = program.indexOf(magic); at >= 0; at = program.indexOf(magic, at + 1)) {
    if (at % alignment !== 0 || ((program[at + 15] ?? 0) & inlineStrings) === 0) continue;
    const version = readString(program, at + headerSize);
    const text = readString(program, version.end).bytes.toString("utf8");
    if (!version.bytes.toString("latin1").startsWith("go")) continue;
    return { goVersion: version.bytes.toString("latin1"), modules: parseModules(text.slice(markSize, -markSize)) };
  }
  return undefined;
}

function readString(bytes: Buffer, start: number): { readonly bytes: Buffer; readonly end: number } {
  let at = start;
  let length = 0;
  for (let shift = 0; shift < 35; shift += 7) {
    const byte = bytes[at++] ?? 0;
    length |= (byte & 0x7f) << shift;
    if (byte < 0x80) break;
  }
  return { bytes: bytes.subarray(at, at + length), end: at + length };
}

function parseModules(text: string): GoModule[] {
  const modules: GoModule[] = [];
  for (const line of text.split("\n")) {
    const [kind, path = "", version = ""] = line.split("\t");
    if (kind === "=>" && version !== "") modules.splice(-1, 1, { path, version });
    if ((kind === "mod" || kind === "dep") && path !== "") modules.push({ path, version });
  }
  return modules.filter(({ version }) => version !== "" && version !== "(devel)");
}
