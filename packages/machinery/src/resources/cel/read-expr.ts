import { BinaryReader, WireType } from "@bufbuild/protobuf/wire";
import { readFields } from "../dsl/message.ts";

/** The syntax tree of a CEL expression, as far as it takes to write it down again. */
export type CelExpr = { readonly id: bigint } & CelNode;

type CelNode =
  | { readonly case: "literal"; readonly text: string }
  | { readonly case: "ident"; readonly name: string }
  | { readonly case: "select"; readonly operand: CelExpr; readonly field: string; readonly testOnly: boolean }
  | {
      readonly case: "call";
      readonly target: CelExpr | undefined;
      readonly name: string;
      readonly args: readonly CelExpr[];
    }
  | { readonly case: "list"; readonly elements: readonly CelExpr[] }
  | {
      readonly case: "struct";
      readonly name: string;
      readonly entries: readonly (readonly [key: CelExpr | string, value: CelExpr])[];
    }
  | { readonly case: "comprehension" };

export interface CelTree {
  readonly expr: CelExpr;
  /** By the id of the node that a macro became: the call that was written. */
  readonly macros: ReadonlyMap<bigint, CelExpr>;
}

const maxDepth = 250;
const nothing: CelExpr = { id: 0n, case: "literal", text: "" };

/** Reads a `google.api.expr.v1alpha1.CheckedExpr`. */
export function readCheckedExpr(checked: Uint8Array): CelTree {
  const macros = new Map<bigint, CelExpr>();
  const parts = fieldsOf(checked);
  const source = parts.find(({ no }) => no === 5)?.bytes;
  for (const { no, bytes } of source === undefined ? [] : fieldsOf(source)) {
    if (no !== 5) continue;
    const entry = fieldsOf(bytes);
    macros.set(entry.find((part) => part.no === 1)?.number ?? 0n, child(entry, 2, maxDepth) ?? nothing);
  }
  return { expr: child(parts, 4, maxDepth) ?? nothing, macros };
}

interface Part {
  readonly no: number;
  readonly number: bigint;
  readonly bytes: Uint8Array;
}

const noBytes = new Uint8Array(0);

function fieldsOf(bytes: Uint8Array): readonly Part[] {
  const parts: Part[] = [];
  const reader = new BinaryReader(bytes);
  readFields(reader, bytes.length, (no, wire) => {
    if (wire === WireType.Varint) parts.push({ no, number: BigInt(reader.int64()), bytes: noBytes });
    else if (wire === WireType.Bit64) parts.push({ no, number: BigInt(reader.fixed64()), bytes: noBytes });
    else if (wire === WireType.LengthDelimited) parts.push({ no, number: 0n, bytes: reader.bytes() });
    else reader.skip(wire, no);
  });
  return parts;
}

function child(parts: readonly Part[], no: number, depth: number): CelExpr | undefined {
  const part = parts.find((candidate) => candidate.no === no);
  return part === undefined ? undefined : readExpr(part.bytes, depth);
}

function children(parts: readonly Part[], no: number, depth: number): readonly CelExpr[] {
  return parts.filter((part) => part.no === no).map((part) => readExpr(part.bytes, depth));
}

function string(parts: readonly Part[], no: number): string {
  return Buffer.from(parts.find((part) => part.no === no)?.bytes ?? noBytes).toString();
}

function readExpr(bytes: Uint8Array, depth: number): CelExpr {
  if (depth === 0) throw new RangeError(`expression is nested deeper than ${maxDepth} levels`);
  let id = 0n;
  let node: CelNode = nothing;
  for (const part of fieldsOf(bytes)) {
    if (part.no === 2) id = part.number;
    else node = nodeReaders[part.no]?.(fieldsOf(part.bytes), depth - 1) ?? node;
  }
  return { ...node, id };
}

type NodeReader = (parts: readonly Part[], depth: number) => CelNode;

/** By field number of `Expr`. */
const nodeReaders: Readonly<Record<number, NodeReader>> = {
  3: (parts) => ({ case: "literal", text: parts.map(literal).join("") }),
  4: (parts) => ({ case: "ident", name: string(parts, 1) }),
  5: (parts, depth) => ({
    case: "select",
    operand: child(parts, 1, depth) ?? nothing,
    field: string(parts, 2),
    testOnly: parts.some((part) => part.no === 3 && part.number !== 0n),
  }),
  6: (parts, depth) => ({
    case: "call",
    target: child(parts, 1, depth),
    name: string(parts, 2),
    args: children(parts, 3, depth),
  }),
  7: (parts, depth) => ({ case: "list", elements: children(parts, 1, depth) }),
  8: (parts, depth) => ({
    case: "struct",
    name: string(parts, 1),
    entries: parts
      .filter((part) => part.no === 2)
      .map((part) => fieldsOf(part.bytes))
      .map((entry) => [child(entry, 3, depth) ?? string(entry, 2), child(entry, 4, depth) ?? nothing]),
  }),
  9: () => ({ case: "comprehension" }),
};

/** By field number of `Constant`. */
function literal({ no, number, bytes }: Part): string {
  switch (no) {
    case 1:
      return "null";
    case 2:
      return number === 0n ? "false" : "true";
    case 3:
      return number.toString();
    case 4:
      return `${BigInt.asUintN(64, number)}u`;
    case 5:
      return formatDouble(number);
    case 6:
      return JSON.stringify(Buffer.from(bytes).toString());
    case 7:
      return `b"${Array.from(bytes, (byte) => `\\x${byte.toString(16).padStart(2, "0")}`).join("")}"`;
    default:
      return "";
  }
}

function formatDouble(bits: bigint): string {
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, BigInt.asUintN(64, bits));
  const value = view.getFloat64(0);
  return Number.isInteger(value) ? value.toFixed(1) : String(value);
}
