import { OsError } from "@talos-ts/base";

/** Variables that hold the key of a service account, in the order in which they are asked. */
const variables = ["SIDERO_SERVICE_ACCOUNT_KEY", "OMNI_SERVICE_ACCOUNT_KEY"] as const;

/** An identity of a program, with the key that it was given. */
export interface ServiceAccount {
  readonly name: string;
  readonly armoredKey: string;
  /** Variable that it came from. */
  readonly variable: string;
}

/**
 * Reads the service account of the environment: base64 of the JSON `{"name": …, "pgp_key": …}`.
 *
 * @throws `cli/bad-service-account` for a variable with anything else.
 */
export function serviceAccountOf(env: Readonly<Record<string, string | undefined>>): ServiceAccount | undefined {
  const variable = variables.find((name) => env[name] !== undefined);
  if (variable === undefined) return undefined;
  const { name, pgp_key: armoredKey } = decode(env[variable] ?? "");
  if (typeof name === "string" && typeof armoredKey === "string") return { name, armoredKey, variable };
  throw new OsError({
    kind: "invalid-argument",
    code: "cli/bad-service-account",
    message: `Cannot read the service account in ${variable}: expected base64 of JSON with "name" and "pgp_key"`,
    next: `unset ${variable}`,
  });
}

function decode(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, "base64").toString());
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
