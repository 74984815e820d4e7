import assert from "node:assert/strict";
import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { describe, it } from "node:test";
import { createServer } from "@talos-ts/grpc";
import { paths } from "@talos-ts/machinery/constants";
import { Containers } from "@talos-ts/proto/containerd/services/containers";
import { Tasks } from "@talos-ts/proto/containerd/services/tasks";
import { Status } from "@talos-ts/proto/containerd/task_types";
import { ContainerDriver } from "@talos-ts/proto/common/common";
import { MachineService } from "@talos-ts/proto/machine/machine";
import { createTestNode, type TestNode } from "../testing.ts";

interface Containerd extends AsyncDisposable {
  readonly killed: readonly string[];
}

/** A containerd that knows one running container, one that is over, and one of a pod. */
async function startContainerd(node: TestNode): Promise<Containerd> {
  const killed: string[] = [];
  const spec = { typeUrl: "spec", value: Buffer.from(JSON.stringify({ linux: { cgroupsPath: "/system/apid" } })) };
  const labels = {
    "io.kubernetes.pod.namespace": "kube-system",
    "io.kubernetes.pod.name": "dns",
    "io.kubernetes.container.name": "main",
  };
  const server = createServer()
    .addService(Containers, {
      list: async () => ({
        containers: [{ id: "apid", image: "apid:v1", spec }, { id: "over" }, { id: "c1", image: "dns:v1", labels }],
      }),
    })
    .addService(Tasks, {
      list: async () => ({
        tasks: [
          { id: "apid", pid: 77, status: Status.RUNNING },
          { id: "c1", pid: 78, status: Status.STOPPED },
        ],
      }),
      kill: async ({ containerId, signal }) => {
        killed.push(`${containerId} ${String(signal)}`);
        return {};
      },
    });
  const unix = `${node.root}${paths.systemContainerdSocket}`;
  await mkdir(dirname(unix), { recursive: true });
  await server.listen({ unix });
  return { killed, [Symbol.asyncDispose]: () => server.close() };
}

const system = { namespace: "system", driver: ContainerDriver.CONTAINERD };

describe("containers()", () => {
  it("lists containers that have a task, under the names people use", async () => {
    await using node = await createTestNode();
    await using _containerd = await startContainerd(node);
    const found = (await node.client(MachineService).containers(system)).messages[0]?.containers;
    assert.deepEqual(
      found?.map(({ id, image, pid, status, podId, name }) => [id, image, pid, status, podId, name]),
      [
        ["apid", "apid:v1", 77, "RUNNING", "apid", "apid"],
        ["kube-system/dns:main", "dns:v1", 78, "STOPPED", "kube-system/dns", "main"],
      ],
    );
  });
  it("asks for a namespace", async () => {
    await using node = await createTestNode();
    await assert.rejects(node.client(MachineService).containers({}), {
      kind: "invalid-argument",
      message: "namespace can't be empty",
    });
  });
});

describe("stats()", () => {
  it("measures the control group of a container", async () => {
    await using node = await createTestNode();
    await using _containerd = await startContainerd(node);
    await (await node.linux.cgroups()).create("/system/apid");
    const found = (await node.client(MachineService).stats(system)).messages[0]?.stats;
    assert.deepEqual(
      found?.map(({ id, memoryUsage }) => [id, memoryUsage]),
      [["apid", 0n]],
    );
  });
});

describe("restart()", () => {
  it("sends SIGTERM to the container, by either of its names", async () => {
    await using node = await createTestNode();
    await using containerd = await startContainerd(node);
    await node.client(MachineService).restart({ ...system, id: "kube-system/dns:main" });
    assert.deepEqual(containerd.killed, ["c1 15"]);
    await assert.rejects(node.client(MachineService).restart({ ...system, id: "x" }), {
      kind: "not-found",
      message: 'container "x" not found',
    });
  });
});
