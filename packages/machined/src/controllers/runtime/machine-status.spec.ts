import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { MachineType } from "@talos-ts/machinery/resources/config";
import { NodeStatus, Nodename, StaticPodStatus } from "@talos-ts/machinery/resources/k8s";
import { NetworkStatus } from "@talos-ts/machinery/resources/network";
import { MachineStatus } from "@talos-ts/machinery/resources/runtime";
import { TimeStatus } from "@talos-ts/machinery/resources/time";
import { Service } from "@talos-ts/machinery/resources/v1alpha1";
import { SequenceEvent_Action, SequenceEventSchema } from "@talos-ts/proto/machine/event";
import { createEventBus } from "../../events/event-bus.ts";
import { machineStatusController } from "./machine-status.ts";

const { START, STOP } = SequenceEvent_Action;

describe("machineStatusController()", () => {
  it("says exactly what a machine that boots still waits for, and when it is ready", async () => {
    const events = createEventBus();
    events.publish(SequenceEventSchema, { sequence: "boot", action: START });
    await using test = controllerTest({ register: [machineStatusController({ events })] });
    await test.create(createResource(MachineType, "machine-type", "controlplane"));
    const reasons =
      (expected: Record<string, string>) => (resource: { readonly spec: typeof MachineStatus.body.zero }) =>
        assert.deepEqual(
          Object.fromEntries(resource.spec.status.unmetConditions.map(({ name, reason }) => [name, reason])),
          expected,
        );
    await test.assertResource(
      MachineStatus,
      "machine",
      reasons({
        time: "resource TimeStatuses.v1alpha1.talos.dev(runtime/node@undefined) doesn't exist",
        network: "resource NetworkStatuses.net.talos.dev(network/status@undefined) doesn't exist",
        services: "apid not running, machined not running, kubelet not running, etcd not running, trustd not running",
      }),
    );
    const service = (id: string, healthy: boolean) =>
      createResource(Service, id, Service.spec({ running: true, healthy, unknown: false }));
    await test.create(
      createResource(TimeStatus, "node", TimeStatus.spec({})),
      createResource(NetworkStatus, "status", NetworkStatus.spec({ connectivityReady: true })),
      ...["apid", "machined", "kubelet", "trustd"].map((id) => service(id, true)),
      service("etcd", false),
      createResource(Nodename, "nodename", Nodename.spec({ nodename: "foo" })),
      createResource(StaticPodStatus, "kube-system/a", { phase: "Pending" }),
      createResource(StaticPodStatus, "kube-system/b", {
        phase: "Running",
        conditions: [{ type: "Ready", status: "False" }],
      }),
    );
    await test.assertResource(
      MachineStatus,
      "machine",
      reasons({
        time: "time is not synced",
        network: "waiting on: address, etc-files, hostname",
        services: "etcd not healthy",
        staticPods: "kube-system/a pending, kube-system/b not ready",
        nodeReady: 'node "foo" status is not available yet',
      }),
    );
    const allReady = { addressReady: true, connectivityReady: true, etcFilesReady: true, hostnameReady: true };
    await test.update(TimeStatus, "node", (spec) => ({ ...spec, synced: true }));
    await test.update(NetworkStatus, "status", () => allReady);
    await test.update(Service, "etcd", (spec) => ({ ...spec, healthy: true }));
    await test.update(StaticPodStatus, "kube-system/a", () => ({ phase: "Succeeded" }));
    await test.update(StaticPodStatus, "kube-system/b", () => ({
      phase: "Running",
      conditions: [{ type: "Ready", status: "True" }],
    }));
    await test.create(createResource(NodeStatus, "foo", NodeStatus.spec({ nodename: "foo", nodeReady: true })));
    await test.assertResource(MachineStatus, "machine", ({ spec }) =>
      assert.deepEqual([spec.stage, spec.status.ready], ["booting", true]),
    );
    events.publish(SequenceEventSchema, { sequence: "boot", action: STOP });
    await test.assertResource(MachineStatus, "machine", ({ spec }) => assert.equal(spec.stage, "running"));
    events.publish(SequenceEventSchema, { sequence: "reboot", action: START });
    await test.assertResource(MachineStatus, "machine", ({ spec }) => assert.equal(spec.stage, "rebooting"));
    assert.equal(test.logs.filter(({ message }) => message === "machine is running and ready").length, 1);
  });
});
