import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createMemoryLinux } from "../memory/create-memory-linux.ts";

/** Asks a kernel that has these drivers of virtual terminals. */
async function displayOf(drivers: readonly (readonly [name: string, bind: string])[]): Promise<string | undefined> {
  const { textFiles, consoles } = createMemoryLinux();
  for (const [index, [name, bind]] of drivers.entries()) {
    textFiles.tree.set(`/sys/class/vtconsole/vtcon${String(index)}/name`, `${name}\n`);
    textFiles.tree.set(`/sys/class/vtconsole/vtcon${String(index)}/bind`, `${bind}\n`);
  }
  return consoles.display();
}

describe("findDisplay()", () => {
  it("names the driver that is bound", async () => {
    assert.equal(await displayOf([["(S) VGA+", "1"]]), "VGA+");
    const replaced = [
      ["(S) dummy device", "0"],
      ["(M) frame buffer device", "1"],
    ] as const;
    assert.equal(await displayOf(replaced), "frame buffer device");
  });

  it("finds none on a machine with serial consoles only", async () => {
    assert.equal(await displayOf([["(S) dummy device", "1"]]), undefined);
    assert.equal(await displayOf([["(S) VGA+", "0"]]), undefined);
    assert.equal(await displayOf([]), undefined);
  });
});
