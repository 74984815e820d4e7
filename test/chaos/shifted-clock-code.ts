/** Code of x86-64 that takes the place of a function of the vDSO, by the name of its symbol. */
export type ShiftedCode = Readonly<Record<string, Buffer>>;

/** Jump to the last instruction, by its opcode. */
type Exit = { readonly exit: number };
const unlessZero: Exit = { exit: 0x75 };
const ifZero: Exit = { exit: 0x74 };
const ifAbove: Exit = { exit: 0x77 };
const unlessCarry: Exit = { exit: 0x73 };

/** CLOCK_REALTIME, CLOCK_REALTIME_COARSE, CLOCK_REALTIME_ALARM and CLOCK_TAI, by their number. */
const shiftedClocks = [0, 5, 8, 11].reduce((mask, clock) => mask | (1 << clock), 0);

/**
 * Functions that ask the kernel and add some seconds to the time of day; clocks that count from the start of the machine stay as they are. They
 * use no stack, and no registers but those that a caller expects to lose. Their length does not depend on the seconds.
 *
 * @param seconds Whole ones, below 2³¹; negative for a clock that is behind.
 */
export function shiftedClockCode(seconds: number): ShiftedCode {
  const shift = int32(seconds);
  return {
    __vdso_clock_gettime: assemble([
      ...systemCall(228),
      [0x85, 0xc0], // test eax, eax
      unlessZero,
      [0x83, 0xff, 31], // cmp edi, 31: numbers of clocks of devices are negative
      ifAbove,
      [0xb9, ...int32(shiftedClocks)], // mov ecx, shiftedClocks
      [0x0f, 0xa3, 0xf9], // bt ecx, edi
      unlessCarry,
      [0x48, 0x81, 0x06, ...shift], // add qword [rsi], seconds
    ]),
    __vdso_gettimeofday: assemble([
      ...systemCall(96),
      [0x85, 0xc0], // test eax, eax
      unlessZero,
      [0x48, 0x85, 0xff], // test rdi, rdi: a caller may want the time zone alone
      ifZero,
      [0x48, 0x81, 0x07, ...shift], // add qword [rdi], seconds
    ]),
    __vdso_time: assemble([
      ...systemCall(201),
      [0x48, 0x05, ...shift], // add rax, seconds
      [0x48, 0x85, 0xff], // test rdi, rdi
      ifZero,
      [0x48, 0x89, 0x07], // mov [rdi], rax
    ]),
  };
}

/** Length of a jump, in bytes. */
export const jumpLength = 5;

/** A jump from one place to another. */
export function jump(from: number, to: number): Buffer {
  return Buffer.from([0xe9, ...int32(to - from - jumpLength)]);
}

/** Enters the kernel with the arguments that the caller gave: both conventions have the first two in the same registers. */
function systemCall(number: number): readonly (readonly number[])[] {
  return [
    [0xb8, ...int32(number)], // mov eax, number
    [0x0f, 0x05], // syscall
  ];
}

function int32(value: number): readonly number[] {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32LE(value);
  return [...bytes];
}

/** Puts instructions together, and a return behind them that exits jump to. */
function assemble(instructions: readonly (readonly number[] | Exit)[]): Buffer {
  const lengths = instructions.map((each) => ("exit" in each ? 2 : each.length));
  const bytes = instructions.flatMap((each, index) => {
    if (!("exit" in each)) return [...each];
    return [each.exit, lengths.slice(index + 1).reduce((sum, length) => sum + length, 0)];
  });
  return Buffer.from([...bytes, 0xc3]);
}
