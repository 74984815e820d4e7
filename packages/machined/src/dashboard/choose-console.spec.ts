import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createMemoryLinux, type MemoryLinux } from "@talos-ts/linux";
import { chooseConsole } from "./choose-console.ts";

/** A machine with this driver of its display and this command line. */
function machine(driver: string, commandLine = "console=ttyS0"): MemoryLinux {
  const linux = createMemoryLinux();
  linux.textFiles.tree.set("/sys/class/vtconsole/vtcon0/name", `(S) ${driver}\n`);
  linux.textFiles.tree.set("/sys/class/vtconsole/vtcon0/bind", "1\n");
  linux.textFiles.tree.set("/proc/cmdline", `${commandLine}\n`);
  return linux;
}

describe("chooseConsole()", () => {
  it("takes the second virtual terminal of a machine with a display", async () => {
    assert.deepEqual(await chooseConsole(machine("VGA+")), { device: "/dev/tty2", virtual: true });
  });

  it("says why there is none on a machine with serial consoles only", async () => {
    const choice = await chooseConsole(machine("dummy device"));
    assert.match("missing" in choice ? choice.missing : "", /no display/);
  });

  it("takes the terminal that the command line of the kernel names, whatever the display", async () => {
    const serial = machine("dummy device", "talos.dashboard.console=ttyS1");
    assert.deepEqual(await chooseConsole(serial), { device: "/dev/ttyS1", virtual: false });
    for (const name of ["vda", "tty/../vda"]) {
      const choice = await chooseConsole(machine("VGA+", `talos.dashboard.console=${name}`));
      assert.match("missing" in choice ? choice.missing : "", /names no terminal/, name);
    }
  });
});
