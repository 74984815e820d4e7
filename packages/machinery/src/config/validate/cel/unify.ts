/** Finds out what variables stand for, so that types fit together. */

import { dyn, failed, type CelType, type Signature } from "./type.ts";

export interface Unifier {
  /** A variable nothing is known about. */
  readonly fresh: () => CelType;
  /** A signature with variables of its own. */
  readonly instance: (signature: Signature) => Signature;
  /** Reports whether a value of one type can stand where the other is wanted; variables are bound only if so. */
  readonly fits: (actual: readonly CelType[], wanted: readonly CelType[]) => boolean;
  /** Puts in what is known; what is not becomes `open`, or stays. */
  readonly resolve: (type: CelType, open?: CelType) => CelType;
}

const isVariable = ({ name }: CelType): boolean => /^[A-Z](?:\d+)?$/.test(name);
const isAny = ({ name }: CelType): boolean => name === dyn.name || name === failed.name;
/** Messages, durations and timestamps may be null. */
const isNullable = ({ name }: CelType): boolean => name.includes(".") || name === "duration" || name === "timestamp";

/** Describes what was bound to which variables before. */
type Trail = (readonly [string, CelType | undefined])[];

export function createUnifier(): Unifier {
  const bound = new Map<string, CelType>();
  let count = 0;

  const fresh = (): CelType => ({ name: `A${count++}`, of: [] });

  function follow(type: CelType): CelType {
    let at = type;
    for (let next = bound.get(at.name); next !== undefined; next = bound.get(at.name)) at = next;
    return at;
  }

  function occurs(name: string, type: CelType): boolean {
    const at = follow(type);
    return at.name === name || at.of.some((inner) => occurs(name, inner));
  }

  function bind(variable: CelType, type: CelType, trail: Trail): boolean {
    if (variable.name === type.name) return true;
    if (occurs(variable.name, type)) return false;
    trail.push([variable.name, bound.get(variable.name)]);
    bound.set(variable.name, type);
    return true;
  }

  function unify(left: CelType, right: CelType, trail: Trail): boolean {
    const [a, b] = [follow(left), follow(right)];
    if (isVariable(b)) return bind(b, a, trail);
    if (isVariable(a)) return bind(a, b, trail);
    // What may also be anything is anything.
    if (a.name === dyn.name && isVariable(right)) return bind(right, dyn, trail);
    if (isAny(a) || isAny(b)) return true;
    if (a.name === "null" || b.name === "null") return a.name === b.name || isNullable(a) || isNullable(b);
    // The type `type` stands for that of any type.
    if (a.name !== b.name || (a.of.length !== b.of.length && a.name !== "type")) return false;
    return a.of.every((inner, index) => unify(inner, b.of[index] ?? inner, trail));
  }

  function fits(actual: readonly CelType[], wanted: readonly CelType[]): boolean {
    if (actual.length !== wanted.length) return false;
    const trail: Trail = [];
    const isFit = actual.every((type, index) => unify(type, wanted[index] ?? failed, trail));
    if (!isFit) undo(trail);
    return isFit;
  }

  function undo(trail: Trail): void {
    for (const [name, before] of trail.toReversed()) {
      if (before === undefined) bound.delete(name);
      else bound.set(name, before);
    }
  }

  function resolve(type: CelType, open?: CelType): CelType {
    const at = follow(type);
    if (isVariable(at)) return open ?? at;
    return at.of.length === 0 ? at : { name: at.name, of: at.of.map((inner) => resolve(inner, open)) };
  }

  function instance({ parameters, result }: Signature): Signature {
    const own = new Map<string, CelType>();
    const renamed = (type: CelType): CelType => {
      if (!isVariable(type)) return type.of.length === 0 ? type : { name: type.name, of: type.of.map(renamed) };
      const known = own.get(type.name) ?? fresh();
      own.set(type.name, known);
      return known;
    };
    return { parameters: parameters.map(renamed), result: renamed(result) };
  }

  return { fresh, instance, fits, resolve };
}
