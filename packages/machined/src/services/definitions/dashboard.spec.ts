import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { systemClock } from "@talos-ts/base";
import { createMemoryLinux, type MemoryLinux } from "@talos-ts/linux";
import { createLogStore } from "../../logs/log-store.ts";
import type { Service } from "../../service.ts";
import type { ProcessOptions } from "../process-registrar.ts";
import { dashboardService } from "./dashboard.ts";

/** The service on a machine with this driver of its display and this command line. */
function setUp(
  driver: string,
  commandLine = "",
): { readonly linux: MemoryLinux; readonly service: Service; readonly registered: readonly ProcessOptions[] } {
  const linux = createMemoryLinux();
  linux.textFiles.tree.set("/sys/class/vtconsole/vtcon0/name", `(S) ${driver}\n`);
  linux.textFiles.tree.set("/sys/class/vtconsole/vtcon0/bind", "1\n");
  linux.textFiles.tree.set("/proc/cmdline", `${commandLine}\n`);
  const registered: ProcessOptions[] = [];
  const service = dashboardService({
    linux,
    registerProcess(options) {
      registered.push(options);
      return () => ({ [Symbol.dispose]: () => undefined });
    },
    logs: createLogStore(),
    clock: systemClock,
    root: "",
  });
  return { linux, service, registered };
}

const { signal } = new AbortController();

describe("dashboardService()", () => {
  it("T-02: is on the display while it runs, and the kernel log afterwards", async () => {
    const { linux, service } = setUp("VGA+");
    await service.prepare?.(signal, () => undefined);
    assert.deepEqual([linux.consoles.active, linux.consoles.kernelLog], [2, 1]);
    assert.equal(service.runner()?.describe(), 'Restart(forever, Process(["/sbin/dashboard"]))');
    await service.finished?.("finished");
    assert.equal(linux.consoles.active, 1);
  });

  it("T-02: comes after the API of the machine, in a control group of its own, and has no health check", () => {
    const { service, registered } = setUp("VGA+");
    assert.deepEqual(service.dependsOn, ["machined"]);
    assert.equal(service.condition?.describe(), 'file "/run/machined/machined.sock" to exist');
    assert.equal(service.health, undefined);
    const [{ cgroup, oomScoreAdjustment } = { cgroup: "", oomScoreAdjustment: 0 }] = registered;
    assert.deepEqual([cgroup, oomScoreAdjustment], ["/system/dashboard", -400]);
  });

  it("leaves the display alone on a terminal that the kernel's command line names", async () => {
    const { linux, service } = setUp("dummy device", "talos.dashboard.console=ttyS1");
    await service.prepare?.(signal, () => undefined);
    assert.notEqual(service.runner(), undefined);
    await service.finished?.("finished");
    assert.deepEqual([linux.consoles.active, linux.consoles.kernelLog], [1, undefined]);
  });

  it("is skipped without a terminal", async () => {
    const { service } = setUp("dummy device");
    await service.prepare?.(signal, () => undefined);
    assert.equal(service.runner(), undefined);
  });
});
