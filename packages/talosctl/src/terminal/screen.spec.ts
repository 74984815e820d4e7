import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { describe, it } from "node:test";
import { openScreen } from "./screen.ts";
import { processTerminal } from "./terminal.ts";

/** A process whose streams are a terminal. */
function fakeProcess() {
  const raw: boolean[] = [];
  let written = "";
  const stdin = Object.assign(new EventEmitter(), {
    isTTY: true,
    setRawMode: (mode: boolean) => void raw.push(mode),
    resume: () => undefined,
    pause: () => undefined,
  });
  const stdout = Object.assign(new EventEmitter(), {
    isTTY: true,
    columns: 4,
    rows: 1,
    write: (text: string) => void (written += text),
  });
  const process = Object.assign(new EventEmitter(), { stdin, stdout });
  const take = (): string => {
    const text = written;
    written = "";
    return text;
  };
  return { process: process as unknown as NodeJS.Process, stdin, stdout, raw, take };
}

const leave = "\u001b[0m\u001b[?25h\u001b[?1049l";

describe("openScreen()", () => {
  it("draws, hears keys and changes of size, and gives the terminal back", () => {
    const { process, stdin, stdout, raw, take } = fakeProcess();
    const terminal = processTerminal(process);
    assert.ok(terminal);
    const events: string[] = [];
    const screen = openScreen({
      terminal,
      onKey: (key) => void events.push(key),
      onResize: () => void events.push("resize"),
    });
    assert.deepEqual([raw, take()], [[true], "\u001b[?1049h\u001b[?25l"]);
    screen.draw((buffer) => void buffer.put(0, 0, "ab"));
    assert.match(take(), /\[2J.*ab/s);
    screen.draw((buffer) => void buffer.put(0, 0, "ab"));
    assert.equal(take(), "", "nothing has changed");
    stdin.emit("data", Buffer.from("q"));
    stdout.columns = 6;
    stdout.emit("resize");
    assert.deepEqual(events, ["q", "resize"]);
    screen.draw((buffer) => void buffer.put(4, 0, "ab"));
    assert.match(take(), /\[2J.*ab/s);
    screen[Symbol.dispose]();
    assert.deepEqual([raw, take()], [[true, false], leave]);
    process.emit("exit", 0);
    assert.equal(take(), "", "given back once");
  });

  it("gives the terminal back when the process ends before", () => {
    const { process, raw, take } = fakeProcess();
    const terminal = processTerminal(process);
    assert.ok(terminal);
    openScreen({ terminal, onKey: () => undefined, onResize: () => undefined });
    take();
    process.emit("exit", 1);
    assert.deepEqual([raw, take()], [[true, false], leave]);
  });
});

describe("processTerminal()", () => {
  it("is none when input or output is something else", () => {
    const { process, stdout } = fakeProcess();
    stdout.isTTY = false;
    assert.equal(processTerminal(process), undefined);
  });
});
