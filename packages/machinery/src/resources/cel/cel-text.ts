import { readCheckedExpr, type CelExpr, type CelTree } from "./read-expr.ts";

interface Operator {
  readonly sign: string;
  readonly strength: number;
}

const binary: Readonly<Record<string, Operator>> = {
  "_||_": { sign: "||", strength: 2 },
  "_&&_": { sign: "&&", strength: 3 },
  "_==_": { sign: "==", strength: 4 },
  "_!=_": { sign: "!=", strength: 4 },
  "_<_": { sign: "<", strength: 4 },
  "_<=_": { sign: "<=", strength: 4 },
  "_>_": { sign: ">", strength: 4 },
  "_>=_": { sign: ">=", strength: 4 },
  "@in": { sign: "in", strength: 4 },
  "_+_": { sign: "+", strength: 5 },
  "_-_": { sign: "-", strength: 5 },
  "_*_": { sign: "*", strength: 6 },
  "_/_": { sign: "/", strength: 6 },
  "_%_": { sign: "%", strength: 6 },
};

const unary: Readonly<Record<string, Operator>> = {
  "-_": { sign: "-", strength: 7 },
  "!_": { sign: "!", strength: 7 },
};

const conditional = "_?_:_";
const index = "_[_]";

/** Operators whose right side needs no brackets when it is made of the same operator. */
const associative: ReadonlySet<string> = new Set(["_||_", "_&&_"]);

/** The text of a checked CEL expression, with as few brackets as keep its meaning. */
export function celText(checked: Uint8Array): string {
  const tree = readCheckedExpr(checked);
  return write(tree, tree.expr);
}

function write(tree: CelTree, expr: CelExpr): string {
  const macro = tree.macros.get(expr.id);
  if (macro !== undefined && macro !== expr) return write({ ...tree, macros: without(tree.macros, expr.id) }, macro);
  const all = (items: readonly CelExpr[]) => items.map((item) => write(tree, item)).join(", ");
  switch (expr.case) {
    case "literal":
      return expr.text;
    case "ident":
      return expr.name;
    case "select": {
      const text = `${nested(tree, expr.operand)}.${expr.field}`;
      return expr.testOnly ? `has(${text})` : text;
    }
    case "call":
      return writeCall(tree, expr);
    case "list":
      return `[${all(expr.elements)}]`;
    case "struct": {
      const key = (name: CelExpr | string) => (typeof name === "string" ? name : write(tree, name));
      return `${expr.name}{${expr.entries.map(([name, value]) => `${key(name)}: ${write(tree, value)}`).join(", ")}}`;
    }
    case "comprehension":
      throw new RangeError("a loop that was not written as a macro has no text");
    default:
      return expr satisfies never;
  }
}

function without(macros: ReadonlyMap<bigint, CelExpr>, id: bigint): ReadonlyMap<bigint, CelExpr> {
  const rest = new Map(macros);
  rest.delete(id);
  return rest;
}

function writeCall(tree: CelTree, call: CelExpr & { readonly case: "call" }): string {
  const { name, args } = call;
  const [first, second, third] = args;
  if (name === conditional && first !== undefined && second !== undefined && third !== undefined) {
    return `${nested(tree, first)} ? ${nested(tree, second)} : ${nested(tree, third)}`;
  }
  if (name === index && first !== undefined && second !== undefined) {
    return `${nested(tree, first)}[${write(tree, second)}]`;
  }
  const infix = binary[name];
  if (infix !== undefined && first !== undefined && second !== undefined) {
    const left = strengthOf(first) < infix.strength ? bracketed(tree, first) : write(tree, first);
    const weakest = associative.has(name) ? infix.strength : infix.strength + 1;
    const right = strengthOf(second) < weakest ? bracketed(tree, second) : write(tree, second);
    return `${left} ${infix.sign} ${right}`;
  }
  const prefix = unary[name];
  if (prefix !== undefined && first !== undefined) return `${prefix.sign}${nested(tree, first)}`;
  const list = args.map((argument) => write(tree, argument)).join(", ");
  return `${call.target === undefined ? "" : `${nested(tree, call.target)}.`}${name}(${list})`;
}

/** Returns the precedence of an expression: operators by their own, everything else above them. */
function strengthOf(expr: CelExpr): number {
  if (expr.case !== "call") return 9;
  if (expr.name === conditional) return 1;
  return (binary[expr.name] ?? unary[expr.name])?.strength ?? 8;
}

function nested(tree: CelTree, expr: CelExpr): string {
  return strengthOf(expr) < 8 ? bracketed(tree, expr) : write(tree, expr);
}

function bracketed(tree: CelTree, expr: CelExpr): string {
  return `(${write(tree, expr)})`;
}
