/**
 * Checks the types of a CEL expression. The library parses and runs expressions, but its checker knows constants and
 * variables only.
 */

import type { Constant, Expr, Expr_Call, ParsedExpr } from "@bufbuild/cel-spec/cel/expr/syntax_pb.js";
import type { CelEnvironment } from "./environment.ts";
import { describeOverloads } from "./overloads.ts";
import { placeOf, type CelProblem } from "./place.ts";
import {
  bool,
  celType,
  dyn,
  failed,
  formatParameters,
  formatType,
  listOf,
  mapOf,
  type CelType,
  type Signature,
} from "./type.ts";
import { createUnifier } from "./unify.ts";

export interface CheckedTypes {
  readonly type: CelType;
  readonly problems: readonly CelProblem[];
}

type Scope = ReadonlyMap<string, CelType>;
type Of<Case extends Expr["exprKind"]["case"]> = Extract<Expr["exprKind"], { case: Case }>["value"];

const constants: Readonly<Record<NonNullable<Constant["constantKind"]["case"]>, string>> = {
  boolValue: "bool",
  bytesValue: "bytes",
  doubleValue: "double",
  durationValue: "duration",
  int64Value: "int",
  nullValue: "null",
  stringValue: "string",
  timestampValue: "timestamp",
  uint64Value: "uint",
};

/** Macros over lists and maps, by how many arguments they take; the parser expands them if the first one is a name. */
const macros: ReadonlyMap<string, readonly number[]> = new Map([
  ["all", [2]],
  ["exists", [2]],
  ["exists_one", [2]],
  ["filter", [2]],
  ["map", [2, 3]],
]);
const optionalMacros = new Set(["optMap", "optFlatMap"]);

/** @throws {RangeError} when the expression is nested deeper than the stack */
export function checkTypes(source: string, parsed: ParsedExpr, environment: CelEnvironment): CheckedTypes {
  const { positions = {}, macroCalls = {} } = parsed.sourceInfo ?? {};
  const { fresh, instance, fits, resolve } = createUnifier();
  const problems: CelProblem[] = [];
  /** Macros that make no sense; nothing is said about types then. */
  const misused: CelProblem[] = [];

  function fail(at: Expr, message: string, to = problems): CelType {
    to.push({ offset: placeOf(source, positions, at), message });
    return failed;
  }

  const undeclared = (at: Expr, name: string): CelType =>
    fail(at, `undeclared reference to '${name}' (in container '')`);
  const shown = (type: CelType): string => formatType(resolve(type, dyn));

  function check(expr: Expr | undefined, scope: Scope): CelType {
    if (expr === undefined) return failed;
    const { exprKind } = expr;
    switch (exprKind.case) {
      case "constExpr":
        return celType(constants[exprKind.value.constantKind.case ?? "nullValue"]);
      case "identExpr":
        return scope.get(exprKind.value.name) ?? nameType(exprKind.value.name) ?? undeclared(expr, exprKind.value.name);
      case "selectExpr":
        return checkSelect(expr, exprKind.value, scope);
      case "callExpr":
        return checkCall(expr, exprKind.value, scope);
      case "listExpr":
        return listOf(exprKind.value.elements.map((item) => check(item, scope)).reduce(join, undefined) ?? fresh());
      case "structExpr":
        return exprKind.value.messageName === ""
          ? checkMap(exprKind.value, scope)
          : checkMessage(expr, exprKind.value, scope);
      case "comprehensionExpr":
        return checkComprehension(expr, exprKind.value, scope);
      case undefined:
      default:
        return fail(expr, "unexpected expression");
    }
  }

  function nameType(name: string): CelType | undefined {
    if (environment.enumValues.has(name)) return celType("int");
    const isMessage = environment.fields.has(name);
    return environment.variables.get(name) ?? (isMessage ? { name: "type", of: [{ name, of: [] }] } : undefined);
  }

  /** Elements of different types make a collection of anything. */
  function join(before: CelType | undefined, type: CelType): CelType {
    if (before === undefined) return type;
    if (before.name === dyn.name || type.name === dyn.name) return dyn;
    if (before === failed || type === failed) return type;
    return fits([type], [before]) ? before : dyn;
  }

  function checkMap({ entries }: Of<"structExpr">, scope: Scope): CelType {
    let [key, value]: (CelType | undefined)[] = [];
    for (const entry of entries) {
      if (entry.keyKind.case === "mapKey") key = join(key, check(entry.keyKind.value, scope));
      value = join(value, check(entry.value, scope));
    }
    return mapOf(key ?? fresh(), value ?? fresh());
  }

  function checkMessage(expr: Expr, { messageName, entries }: Of<"structExpr">, scope: Scope): CelType {
    const fields = environment.fields.get(messageName);
    if (fields === undefined) return undeclared(expr, messageName);
    for (const { id, keyKind, value } of entries) {
      const name = keyKind.case === "fieldKey" ? keyKind.value : "";
      const type = check(value, scope);
      const wanted = fields.get(name);
      const offset = Math.max(0, source.indexOf(":", positions[String(id)] ?? 0));
      if (wanted === undefined) problems.push({ offset, message: `undefined field '${name}'` });
      else if (!fits([type], [wanted])) {
        const message = `expected type of field '${name}' is '${shown(wanted)}' but provided type is '${shown(type)}'`;
        problems.push({ offset, message });
      }
    }
    return { name: messageName, of: [] };
  }

  function checkSelect(expr: Expr, { operand, field, testOnly }: Of<"selectExpr">, scope: Scope): CelType {
    const path = qualifiedName(expr);
    const named = path === undefined || scope.has(path.split(".")[0] ?? "") ? undefined : nameType(path);
    if (named !== undefined) return named;
    const target = resolve(check(operand, scope));
    const isOptional = target.name === "optional_type";
    const type = fieldType(expr, isOptional ? resolve(target.of[0] ?? dyn) : target, field);
    if (testOnly) return bool;
    return isOptional ? { name: target.name, of: [type] } : type;
  }

  function fieldType(expr: Expr, target: CelType, field: string): CelType {
    const fields = environment.fields.get(target.name);
    if (fields !== undefined) return fields.get(field) ?? fail(expr, `undefined field '${field}'`);
    if (target.name === "map") return target.of[1] ?? dyn;
    if (!fits([dyn], [target])) return dyn;
    const isOpen = target === failed || resolve(target, dyn).name === dyn.name;
    if (!isOpen) fail(expr, `type '${shown(target)}' does not support field selection`);
    return dyn;
  }

  function checkCall(expr: Expr, call: Expr_Call, scope: Scope): CelType {
    const { target, args } = call;
    const [first] = args;
    if (call.function === "has" && target === undefined && first !== undefined && args.length === 1) {
      return fail(first, "invalid argument to has() macro", misused);
    }
    if (target !== undefined && first !== undefined && macros.get(call.function)?.includes(args.length) === true) {
      return fail(first, "argument must be a simple name", misused);
    }
    if (target !== undefined && optionalMacros.has(call.function) && environment.hasOptionals && args.length === 2) {
      return checkOptionalMacro(expr, call, scope);
    }
    if (call.function === "_&&_" || call.function === "_||_") return checkLogic(args, scope);
    const prefix = target === undefined ? undefined : qualifiedName(target);
    const qualified = prefix === undefined ? undefined : environment.functions.get(`${prefix}.${call.function}`);
    const types = args.map((argument) => check(argument, scope));
    if (qualified !== undefined) return choose(expr, call.function, qualified, types, false);
    const isMethod = target !== undefined;
    return choose(
      expr,
      call.function,
      overloadsOf(call.function, isMethod),
      isMethod ? [check(target, scope), ...types] : types,
      isMethod,
    );
  }

  /** Empty for a function that is called as a method, or the other way round. */
  function overloadsOf(name: string, isMethod: boolean): readonly Signature[] | undefined {
    const [own, other] = [environment.methods, environment.functions].map((table) => table.get(name));
    return isMethod ? (own ?? (other && [])) : (other ?? (own && []));
  }

  function checkLogic(args: readonly Expr[], scope: Scope): CelType {
    let result = bool;
    for (const argument of args) {
      const type = check(argument, scope);
      if (!fits([type], [bool])) result = fail(argument, `expected type 'bool' but found '${shown(type)}'`);
    }
    return result;
  }

  /** The results of all overloads that fit; different ones make anything. */
  function choose(
    expr: Expr,
    name: string,
    overloads: readonly Signature[] | undefined,
    types: readonly CelType[],
    isMethod: boolean,
  ): CelType {
    if (overloads === undefined) return undeclared(expr, name);
    let result: CelType | undefined;
    for (const overload of overloads) {
      const { parameters, result: type } = instance(overload);
      if (!fits(types, parameters)) continue;
      const found = resolve(type);
      result = result === undefined || formatType(result) === formatType(found) ? found : dyn;
    }
    if (result !== undefined) return result;
    const actual = types.map((type) => resolve(type, dyn));
    const applied = `applied to '${formatParameters(actual, isMethod)}'`;
    return fail(
      expr,
      `found no matching overload for '${name}' ${applied}${describeOverloads(overloads, actual, isMethod)}`,
    );
  }

  function checkOptionalMacro(expr: Expr, { function: name, target, args }: Expr_Call, scope: Scope): CelType {
    const [variable, body] = args;
    if (variable?.exprKind.case !== "identExpr")
      return fail(variable ?? expr, "argument must be a simple name", misused);
    const item = fresh();
    const type = check(target, scope);
    const optional: CelType = { name: "optional_type", of: [item] };
    if (!fits([type], [optional])) {
      return fail(
        expr,
        `found no matching overload for '${name}' applied to '${formatParameters([resolve(type, dyn)], true)}'`,
      );
    }
    const result = check(body, new Map([...scope, [variable.exprKind.value.name, resolve(item)]]));
    if (name === "optMap") return { name: "optional_type", of: [result] };
    const inner: CelType = { name: "optional_type", of: [fresh()] };
    return fits([result], [inner])
      ? resolve(inner)
      : fail(expr, `expected type 'optional_type(dyn)' but found '${shown(result)}'`);
  }

  function checkComprehension(expr: Expr, loop: Of<"comprehensionExpr">, scope: Scope): CelType {
    const macro = macroCalls[String(expr.id)];
    if (macro?.exprKind.case === "callExpr" && !macros.has(macro.exprKind.value.function)) {
      return checkCall({ ...macro, id: expr.id }, macro.exprKind.value, scope);
    }
    const range = resolve(check(loop.iterRange, scope));
    const accumulator = check(loop.accuInit, scope);
    const outer = new Map([...scope, [loop.accuVar, accumulator]]);
    const inner = new Map([...outer, [loop.iterVar, itemType(loop.iterRange ?? expr, range)]]);
    check(loop.loopCondition, inner);
    const step = check(loop.loopStep, inner);
    if (!fits([step], [accumulator])) {
      fail(loop.loopStep ?? expr, `expected type '${shown(accumulator)}' but found '${shown(step)}'`);
    }
    return resolve(check(loop.result, outer));
  }

  function itemType(at: Expr, range: CelType): CelType {
    if (range.name === "list" || range.name === "map") return range.of[0] ?? dyn;
    if (resolve(range, dyn).name === dyn.name || range === failed) return fits([dyn], [range]) ? dyn : failed;
    const allowed = "(must be list, map, or dynamic)";
    return fail(at, `expression of type '${shown(range)}' cannot be range of a comprehension ${allowed}`);
  }

  const type = resolve(check(parsed.expr, new Map()), dyn);
  return { type, problems: misused.length > 0 ? misused : problems };
}

/** No declared name has more parts. */
const mostParts = 16;

/** `a.b.c`, if an expression is nothing else. */
function qualifiedName({ exprKind }: Expr, parts = 1): string | undefined {
  if (exprKind.case === "identExpr") return exprKind.value.name;
  if (exprKind.case !== "selectExpr" || exprKind.value.testOnly || parts === mostParts) return undefined;
  const { operand, field } = exprKind.value;
  const prefix = operand === undefined ? undefined : qualifiedName(operand, parts + 1);
  return prefix === undefined ? undefined : `${prefix}.${field}`;
}
