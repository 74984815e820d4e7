import { OsError } from "@talos-ts/base";
import type { Invocation } from "./command.ts";

type Values = Pick<Invocation, "options">;

// Flags as commands read them. Names are those of commander: camel case, without dashes.

export function textOption({ options }: Values, name: string): string | undefined {
  const value = options[name];
  return typeof value === "string" ? value : undefined;
}

export function flag({ options }: Values, name: string): boolean {
  return options[name] === true;
}

export function listOption({ options }: Values, name: string): readonly string[] {
  const value = options[name];
  return Array.isArray(value) ? (value as string[]) : [];
}

/** @throws `cli/bad-flag` when the value is no whole number. */
export function integerOption({ options }: Values, name: string): number | undefined {
  const value = options[name];
  if (value === undefined) return undefined;
  const number = Number(value);
  if (value === "" || !Number.isSafeInteger(number)) throw badFlag(name, value, "a whole number");
  return number;
}

/** @throws `cli/bad-flag` when the value is no number. */
export function numberOption({ options }: Values, name: string): number | undefined {
  const value = options[name];
  if (value === undefined) return undefined;
  const number = Number(value);
  if (value === "" || !Number.isFinite(number)) throw badFlag(name, value, "a number");
  return number;
}

export function badFlag(name: string, value: unknown, expected: string): OsError {
  const written = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return new OsError({
    kind: "invalid-argument",
    code: "cli/bad-flag",
    message: `Cannot use ${JSON.stringify(String(value))} for --${written}: expected ${expected}`,
  });
}
