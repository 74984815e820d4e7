/** Types of CEL as terms: a name and what it is made of. Variables are single capital letters. */

export interface CelType {
  /** As messages of cel-go have it; objects have the full name of their message. */
  readonly name: string;
  readonly of: readonly CelType[];
}

/** Types that have another name where they are declared. */
export const declaredNames: Readonly<Record<string, string>> = {
  duration: "google.protobuf.Duration",
  timestamp: "google.protobuf.Timestamp",
  null: "null_type",
};

/** Reads `int`, `list(A)`, `map(int,double)`. */
export function celType(text: string): CelType {
  const [type, rest] = readType(text);
  if (rest !== "") throw new SyntaxError(`${JSON.stringify(text)} is not a type`);
  return type;
}

function readType(text: string): readonly [CelType, string] {
  const name = /^[\w.]+/.exec(text)?.[0] ?? "";
  let rest = text.slice(name.length);
  const of: CelType[] = [];
  if (!rest.startsWith("(")) return [{ name, of }, rest];
  do {
    const [inner, behind] = readType(rest.slice(1));
    of.push(inner);
    rest = behind;
  } while (rest.startsWith(","));
  return [{ name, of }, rest.slice(1)];
}

export function listOf(item: CelType): CelType {
  return { name: "list", of: [item] };
}

export function mapOf(key: CelType, value: CelType): CelType {
  return { name: "map", of: [key, value] };
}

export const bool = celType("bool");
export const dyn = celType("dyn");
/** The type of what is wrong already; it fits everywhere, so that nothing is told twice. */
export const failed: CelType = { name: "!error!", of: [] };

export function formatType({ name, of }: CelType, names: Readonly<Record<string, string>> = {}): string {
  return of.length === 0 ? (names[name] ?? name) : `${name}(${of.map((inner) => formatType(inner, names)).join(", ")})`;
}

/** One way to call a function. */
export interface Signature {
  readonly parameters: readonly CelType[];
  readonly result: CelType;
}

/** Reads `list(A) int -> A`. */
export function signature(text: string): Signature {
  const words = text.split(" ");
  const arrow = words.indexOf("->");
  return { parameters: words.slice(0, arrow).map(celType), result: celType(words[arrow + 1] ?? "") };
}

/** `(uint, int)`, or `string.(int)` for what is called on a value. */
export function formatParameters(types: readonly CelType[], isMethod: boolean): string {
  const texts = types.map((type) => formatType(type));
  return isMethod ? `${texts[0] ?? ""}.(${texts.slice(1).join(", ")})` : `(${texts.join(", ")})`;
}
