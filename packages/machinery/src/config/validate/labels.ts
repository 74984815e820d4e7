/** The rules Kubernetes has for labels, annotations and taints. */

import { quote } from "./rules.ts";

const subdomain = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/;
const name = /^(?:[A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;
const taintEffects = new Set(["NoSchedule", "PreferNoSchedule", "NoExecute"]);
const reservedAnnotations = new Set(["annotations", "labels", "taints"].map((what) => `talos.dev/owned-${what}`));
const annotationBytes = 256 * 1024;

type Texts = Readonly<Record<string, string>>;

function subdomainProblem(value: string): string | undefined {
  if (value.length > 253) return `domain name length exceeds limit of 253: ${quote(value)}`;
  return subdomain.test(value) ? undefined : `domain doesn't match required format: ${quote(value)}`;
}

function qualifiedNameProblem(value: string): string | undefined {
  const parts = value.split("/");
  if (parts.length > 2) return `invalid format: too many slashes: ${quote(value)}`;
  const [prefix, plain = ""] = parts.length === 2 ? parts : [undefined, value];
  if (prefix === "") return `prefix cannot be empty: ${quote(value)}`;
  const problem = prefix === undefined ? undefined : subdomainProblem(prefix);
  if (problem !== undefined) return `prefix ${quote(prefix)} is invalid: ${problem}`;
  if (plain === "") return `name cannot be empty: ${quote(value)}`;
  if (plain.length > 63) return `name is too long: ${quote(value)} (limit is 63)`;
  return name.test(plain) ? undefined : `name ${quote(plain)} is invalid`;
}

function labelValueProblem(value: string): string | undefined {
  if (value.length > 63) return `label value length exceeds limit of 63: ${quote(value)}`;
  return value === "" || name.test(value) ? undefined : `label value ${quote(value)} is invalid`;
}

/** A key and what is wrong with it; an empty key stands for all of them together. */
type Finding = readonly [key: string, problem: string];

function found(key: string, ...problems: readonly (string | undefined)[]): readonly Finding[] {
  return problems.filter((problem) => problem !== undefined).map((problem) => [key, problem] as const);
}

function sorted(texts: Texts | undefined): readonly (readonly [string, string])[] {
  return Object.entries(texts ?? {}).toSorted(([left], [right]) => (left < right ? -1 : 1));
}

export function labelFindings(labels: Texts | undefined): readonly Finding[] {
  return sorted(labels).flatMap(([key, value]) => found(key, qualifiedNameProblem(key), labelValueProblem(value)));
}

export function annotationFindings(annotations: Texts | undefined): readonly Finding[] {
  const entries = sorted(annotations);
  const bytes = entries.reduce((sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value), 0);
  const single = entries.flatMap(([key]) =>
    found(
      key,
      qualifiedNameProblem(key),
      reservedAnnotations.has(key) ? `annotation ${quote(key)} is reserved` : undefined,
    ),
  );
  return bytes > annotationBytes
    ? [...single, ["", `total annotation size exceeds limit of ${annotationBytes} bytes`]]
    : single;
}

export function taintFindings(taints: Texts | undefined): readonly Finding[] {
  return sorted(taints).flatMap(([key, taint]) => {
    const colon = taint.indexOf(":");
    const effect = colon < 0 ? taint : taint.slice(colon + 1);
    const problem =
      qualifiedNameProblem(key) ??
      (taintEffects.has(effect) ? undefined : `invalid taint effect: ${quote(effect)}`) ??
      (colon < 0 ? undefined : labelValueProblem(taint.slice(0, colon)));
    return found(key, problem);
  });
}
