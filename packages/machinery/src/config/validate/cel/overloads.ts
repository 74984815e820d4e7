import { formatParameters, type CelType, type Signature } from "./type.ts";
import { createUnifier } from "./unify.ts";

/** More of them help nobody. */
const most = 4;

/** Returns what could have been written: the overloads that agree in most of the types, `, expected '(uint, uint)'`. */
export function describeOverloads(
  overloads: readonly Signature[],
  actual: readonly CelType[],
  isMethod: boolean,
): string {
  const candidates = overloads.map((overload) => closeness(overload, actual));
  const best = Math.max(...candidates.map(({ agreed }) => agreed));
  const texts = candidates
    .filter(({ agreed }) => agreed === best)
    .map(({ parameters }) => `'${formatParameters(parameters, isMethod)}'`);
  const shown = [...new Set(texts)].slice(0, most);
  return shown.length === 0 ? "" : `, expected ${shown.join(" or ")}`;
}

/** In how many places an overload agrees with the types given, the first one above all, and its parameters if so. */
function closeness(
  overload: Signature,
  actual: readonly CelType[],
): { readonly agreed: number; readonly parameters: readonly CelType[] } {
  const { instance, fits, resolve } = createUnifier();
  const { parameters } = instance(overload);
  const weights = parameters.map<number>((parameter, index) => {
    const type = actual[index];
    return type !== undefined && fits([type], [parameter]) ? (index === 0 ? 2 : 1) : 0;
  });
  const isLong = parameters.length === actual.length;
  const any: CelType = { name: "any", of: [] };
  return {
    agreed: weights.reduce((sum, weight) => sum + weight, isLong ? 1 : 0),
    parameters: parameters.map((type) => resolve(type, any)),
  };
}
