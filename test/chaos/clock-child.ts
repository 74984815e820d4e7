import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

/** Clocks as a process sees them, in whole seconds, by the call: its name, and the number of the clock. */
export type Clocks = Readonly<Record<string, number>>;

/** A process that tells its time when it is asked. */
export interface ClockChild extends AsyncDisposable {
  readonly pid: number;
  clocks(): Promise<Clocks>;
}

/** Asks the C library, which asks the vDSO; a call that fails leaves 0. `Date` is that of V8. */
const program = `
  const ffi = process.getBuiltinModule("node:ffi");
  const { clock_gettime, gettimeofday, time } = new ffi.DynamicLibrary(null).getFunctions({
    clock_gettime: { arguments: ["i32", "pointer"], return: "i32" },
    gettimeofday: { arguments: ["pointer", "pointer"], return: "i32" },
    time: { arguments: ["pointer"], return: "i64" },
  });
  const told = (call) => {
    const answer = Buffer.alloc(16);
    call(answer);
    return Number(answer.readBigInt64LE(0));
  };
  require("node:readline").createInterface({ input: process.stdin }).on("line", () => {
    const clocks = { Date: Math.floor(Date.now() / 1000), time: Number(time(null)), "time to memory": told(time) };
    clocks.gettimeofday = told((answer) => gettimeofday(answer, null));
    clocks["time zone alone"] = gettimeofday(null, Buffer.alloc(8));
    for (const clock of [-7, 0, 1, 5, 7, 11, 99]) clocks[clock] = told((answer) => clock_gettime(clock, answer));
    console.log(JSON.stringify(clocks));
  });
`;

/** Starts the process. Disposing ends it. */
export async function startClockChild(): Promise<ClockChild> {
  const flags = ["--disable-warning=ExperimentalWarning", "-e", program];
  const child = spawn(process.execPath, flags, { stdio: ["pipe", "pipe", "inherit"] });
  await once(child, "spawn");
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const clocks = async (): Promise<Clocks> => {
    child.stdin.write("\n");
    const { value, done } = await lines.next();
    if (done === true) throw new Error("the process that tells its time ended");
    return JSON.parse(value) as Clocks;
  };
  // With the first answer everything is loaded.
  await clocks();
  return {
    pid: child.pid ?? 0,
    clocks,
    async [Symbol.asyncDispose]() {
      const ended = once(child, "close");
      child.kill("SIGKILL");
      await ended;
    },
  };
}
