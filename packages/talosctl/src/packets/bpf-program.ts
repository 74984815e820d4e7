import { OsError } from "@talos-ts/base";

export interface Instruction {
  readonly op: number;
  readonly jt: number;
  readonly jf: number;
  readonly k: number;
}

/** `{ 0x28, 0, 0, 0x0000000c },` of `tcpdump -dd`. */
const cForm = /^\{\s*0x([0-9a-f]{1,4}),\s*(\d{1,3}),\s*(\d{1,3}),\s*0x([0-9a-f]{1,8})\s*\},?$/i;
/** `40 0 0 12` of `tcpdump -ddd`, whose first line is the number of instructions. */
const decimalForm = /^(\d{1,5}) (\d{1,3}) (\d{1,3}) (\d{1,10})$/;

/**
 * Reads a compiled BPF program as `tcpdump -dd` or `tcpdump -ddd` prints it.
 *
 * @throws `cli/bad-filter`
 */
export function parseBpfProgram(text: string): readonly Instruction[] {
  const lines = text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const [first, ...rest] = lines;
  const counted = first !== undefined && /^\d{1,5}$/.test(first);
  const program = (counted ? rest : lines).map(parseInstruction);
  if (counted && Number(first) !== program.length)
    throw badFilter(`error parsing bpf filter: expected ${first} instructions, got ${String(program.length)}`);
  return program;
}

function parseInstruction(line: string): Instruction {
  const hexadecimal = cForm.exec(line);
  const match = hexadecimal ?? decimalForm.exec(line);
  if (match === null) throw badFilter(`error parsing bpf instruction ${JSON.stringify(line)}`);
  const radix = hexadecimal === null ? 10 : 16;
  const [op = "", jt = "", jf = "", k = ""] = match.slice(1);
  return { op: Number.parseInt(op, radix), jt: Number(jt), jf: Number(jf), k: Number.parseInt(k, radix) >>> 0 };
}

const badFilter = (message: string): OsError =>
  new OsError({
    kind: "invalid-argument",
    code: "cli/bad-filter",
    message,
    next: "tcpdump -dd -y EN10MB 'tcp and dst port 80'",
  });
