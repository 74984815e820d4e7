import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { describe, it } from "node:test";
import { createServer } from "@talos-ts/grpc";
import { paths } from "@talos-ts/machinery/constants";
import { Containers } from "@talos-ts/proto/containerd/services/containers";
import { Tasks } from "@talos-ts/proto/containerd/services/tasks";
import { Status } from "@talos-ts/proto/containerd/task_types";
import { ContainerDriver } from "@talos-ts/proto/common/common";
import { ImageService, RuntimeService } from "@talos-ts/proto/cri/runtime";
import { MachineService } from "@talos-ts/proto/machine/machine";
import { createTestNode, type TestNode } from "../../testing.ts";

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

/** The runtime of Kubernetes with one pod of one container. */
async function startCri(node: TestNode): Promise<Containerd> {
  const killed: string[] = [];
  const id = "0123456789abcdef";
  const namespaces = [{ type: "network", path: "/run/netns/cni-1" }];
  const server = createServer()
    .addService(RuntimeService, {
      listPodSandbox: async () => ({
        items: [{ id: "p1", metadata: { name: "dns", namespace: "kube-system", uid: "u" } }],
      }),
      podSandboxStatus: async () => ({
        info: { info: JSON.stringify({ pid: 10, image: "sha256:1", runtimeSpec: { linux: { namespaces } } }) },
      }),
      listContainers: async () => ({
        containers: [
          { id, podSandboxId: "p1", metadata: { name: "main" }, imageRef: "sha256:2", state: 1 },
          { id: "stray", podSandboxId: "gone" },
        ],
      }),
      containerStatus: async () => ({ status: { logPath: "/var/log/pods/0.log" }, info: { info: '{"pid":11}' } }),
      listContainerStats: async () => ({
        stats: [{ attributes: { id }, memory: { workingSetBytes: { value: 5n } } }],
      }),
      stopContainer: async ({ containerId }) => {
        killed.push(containerId);
        return {};
      },
    })
    .addService(ImageService, { listImages: async () => ({ images: [{ id: "sha256:2", repoTags: ["dns:v1"] }] }) });
  const unix = `${node.root}${paths.criContainerdSocket}`;
  await mkdir(dirname(unix), { recursive: true });
  await server.listen({ unix });
  return { killed, [Symbol.asyncDispose]: () => server.close() };
}

const kubernetes = { namespace: "k8s.io", driver: ContainerDriver.CRI };

describe("containers of Kubernetes", () => {
  it("T-68: stand below their pods, with names that lead back to them", async () => {
    await using node = await createTestNode();
    await using _cri = await startCri(node);
    const found = (await node.client(MachineService).containers(kubernetes)).messages[0]?.containers;
    assert.deepEqual(
      found?.map(({ id, image, pid, status, networkNamespace }) => [id, image, pid, status, networkNamespace]),
      [
        ["kube-system/dns", "sha256:1", 10, "SANDBOX_READY", "cni-1"],
        ["kube-system/dns:main:0123456789ab", "dns:v1", 11, "CONTAINER_RUNNING", ""],
      ],
    );
    const stats = (await node.client(MachineService).stats(kubernetes)).messages[0]?.stats;
    assert.deepEqual(
      stats?.map(({ memoryUsage }) => memoryUsage),
      [0n, 5n],
    );
  });
  it("T-69: have their logs in files, and are named when they are not there", async () => {
    await using node = await createTestNode();
    await using cri = await startCri(node);
    await mkdir(`${node.root}/var/log/pods`, { recursive: true });
    await writeFile(`${node.root}/var/log/pods/0.log`, "one\ntwo\n");
    const logs = async (id: string, tailLines = -1): Promise<string> => {
      const stream = node.client(MachineService).logs({ ...kubernetes, id, tailLines });
      return Buffer.concat(await Array.fromAsync(stream, ({ bytes }) => bytes)).toString();
    };
    assert.equal(await logs("kube-system/dns:main:0123456789ab"), "one\ntwo\n");
    assert.equal(await logs("kube-system/dns:main", 1), "two\n");
    await assert.rejects(logs("a/b:c"), { kind: "not-found", message: 'container "a/b:c" not found' });
    await node.client(MachineService).restart({ ...kubernetes, id: "kube-system/dns:main" });
    assert.deepEqual(cri.killed, ["0123456789abcdef"]);
  });
  it("T-49: the kubelet is no container: its log is a service's", async () => {
    await using node = await createTestNode();
    node.machine.logs.open("kubelet").write("hello\n");
    const stream = node.client(MachineService).logs({ ...kubernetes, id: "kubelet", tailLines: -1 });
    assert.equal((await Array.fromAsync(stream, ({ bytes }) => Buffer.from(bytes).toString())).join(""), "hello\n");
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
