import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  createInMemoryState,
  createNamespacedState,
  findTyped,
  pointerTo,
  wrapCore,
  type Logger,
  type State,
} from "@talos-ts/cosi";
import { createMemoryLinux } from "@talos-ts/linux";
import { ServicePID } from "@talos-ts/machinery/resources";
import { createProcessRegistrar } from "./process-registrar.ts";

const service = { id: "cri", cgroup: "/podruntime/runtime", oomScoreAdjustment: -500 };

function setup(mayLowerOomScore: boolean) {
  const linux = createMemoryLinux({ mayLowerOomScore });
  const state: State = wrapCore(createNamespacedState(() => createInMemoryState()));
  const warnings: string[] = [];
  const nothing = (): void => undefined;
  const warn = (message: string): void => void warnings.push(message);
  const logger: Logger = { debug: nothing, info: nothing, warn, error: nothing, with: () => logger };
  const register = createProcessRegistrar({ linux, state, logger });
  const start = (): number => linux.processes.start({ executable: "/bin/containerd" });
  return { linux, state, warnings, register, start };
}

describe("createProcessRegistrar()", () => {
  it("C-32, C-33: gives the process of a service its control group, its OOM score and a name", async () => {
    const { linux, state, warnings, register, start } = setup(true);
    const pid = start();
    const registration = register(service)(pid);
    const score = `/proc/${String(pid)}/oom_score_adj`;
    await state.watchFor(pointerTo(ServicePID, "cri"), { test: () => true });
    assert.deepEqual(await (await linux.cgroups()).processes("/podruntime/runtime"), [pid]);
    assert.equal((await findTyped(state, ServicePID, "cri"))?.spec.pid, pid);
    while ((await linux.textFiles.read(score)).trim() !== "-500") await new Promise(setImmediate);
    assert.deepEqual(warnings, []);
    registration[Symbol.dispose]();
  });
  it("bounds the control group of a service", async () => {
    const { linux, state, register, start } = setup(true);
    const limits = { memoryMaxBytes: 1024n, cpuWeight: 8n };
    register({ ...service, limits })(start());
    await state.watchFor(pointerTo(ServicePID, "cri"), { test: () => true });
    assert.deepEqual((await linux.cgroups()).limits("/podruntime/runtime"), limits);
  });
  it("warns once where the host refuses negative scores", async () => {
    const { warnings, register, start } = setup(false);
    register(service)(start());
    register({ ...service, id: "containerd", oomScoreAdjustment: -999 })(start());
    while (warnings.length === 0) await new Promise(setImmediate);
    await new Promise(setImmediate);
    assert.deepEqual(warnings, ["the host refuses negative OOM scores, services are not protected"]);
  });
});
