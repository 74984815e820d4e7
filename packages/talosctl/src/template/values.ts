/** Something with fields, methods or elements of its own. */
export interface TemplateObject {
  /** Gives a field or an element, or calls a method. @throws {OsError} `template/bad` for a name that is not there */
  member(name: string, args: readonly TemplateValue[]): TemplateValue;
  /** Elements in the order in which they are shown, of what has some. */
  readonly elements?: ReadonlyMap<string, TemplateValue>;
  /** Shows it as text, where text is wanted. */
  text?(): string;
}

/** Values that templates work with. */
export type TemplateValue = string | number | boolean | undefined | TemplateObject | readonly TemplateValue[];

export function isList(value: TemplateValue): value is readonly TemplateValue[] {
  return Array.isArray(value);
}

export function isObject(value: TemplateValue): value is TemplateObject {
  return typeof value === "object" && !isList(value);
}

/** False for nothing, zero, and what is empty. */
export function isTrue(value: TemplateValue): boolean {
  if (isList(value)) return value.length > 0;
  if (isObject(value)) return value.elements === undefined || value.elements.size > 0;
  return Boolean(value);
}

/** Shows a value as Go prints it. */
export function showValue(value: TemplateValue): string {
  if (value === undefined) return "<no value>";
  if (isList(value)) return `[${value.map(showValue).join(" ")}]`;
  if (!isObject(value)) return String(value);
  if (value.text !== undefined) return value.text();
  return `map[${[...(value.elements ?? [])].map(([name, each]) => `${name}:${showValue(each)}`).join(" ")}]`;
}
