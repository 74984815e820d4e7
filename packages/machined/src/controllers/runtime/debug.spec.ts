import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { MachineConfig } from "@talos-ts/machinery/resources/config";
import { createLogStore } from "../../logs/log-store.ts";
import { activeResource, mainDocument } from "../internal/testing.ts";
import { debugController } from "./debug.ts";

describe("runtime.DebugController", () => {
  it("writes logs to the console while debug is true, whole lines and each once", async () => {
    const logs = createLogStore();
    const lines: string[] = [];
    const controller = debugController({ logs, writeConsole: (line) => lines.push(line) });
    await using test = controllerTest({ register: [controller] });
    const write = (id: string, text: string): void => logs.open(id).write(text);
    write("kubelet", "before\n");
    await test.create(activeResource(`debug: true\n${mainDocument()}`));
    await test.settled();
    write("kubelet", "first\nsec");
    write("etcd", "other\n");
    write("kubelet", "ond\n");
    write("machined", "is there already\n");
    write("controller-runtime", "t\tINFO\tis there already\nt\tDEBUG\tdetail\n");
    assert.deepEqual(lines, [
      "kubelet: first\n",
      "etcd: other\n",
      "kubelet: second\n",
      "controller-runtime: t\tDEBUG\tdetail\n",
    ]);
    await test.update(MachineConfig, MachineConfig.ids.active, () => mainDocument());
    await test.settled();
    write("kubelet", "after\n");
    assert.equal(lines.length, 4);
  });
});
