import { basename } from "node:path";
import { createChannel, createClient } from "@talos-ts/grpc";
import { paths } from "@talos-ts/machinery/constants";
import {
  ContainerState,
  ImageService,
  PodSandboxState,
  RuntimeService,
  type Container,
  type PodSandbox,
} from "@talos-ts/proto/cri/runtime";
import { unreachable, type ContainerInspector, type InspectedContainer } from "./inspector.ts";

/** Time that a container gets to end before it is killed. */
const stopSeconds = 10n;
const shownIdLength = 12;

/** Describes what the runtime tells beyond the interface, as JSON. */
interface VerboseInfo {
  readonly pid?: number;
  readonly image?: string;
  readonly runtimeSpec?: {
    readonly linux?: { readonly namespaces?: readonly { readonly type: string; readonly path?: string }[] };
  };
}

/** Asks for pods and their containers the way the kubelet does. */
export function createCriInspector(machine: { readonly root: string }): ContainerInspector {
  const channel = createChannel({ target: `unix://${machine.root}${paths.criContainerdSocket}` });
  const runtime = createClient(RuntimeService, channel);
  const imageService = createClient(ImageService, channel);

  async function imageNames(signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
    const { images } = await imageService.listImages({}, { signal });
    return new Map(images.flatMap(({ id, repoTags }) => (repoTags[0] === undefined ? [] : [[id, repoTags[0]]])));
  }

  async function describePod(pod: PodSandbox, signal: AbortSignal): Promise<InspectedContainer> {
    const answer = await runtime.podSandboxStatus({ podSandboxId: pod.id, verbose: true }, { signal });
    const info = parseInfo(answer.info["info"]);
    const podId = `${pod.metadata?.namespace ?? ""}/${pod.metadata?.name ?? ""}`;
    const network = info.runtimeSpec?.linux?.namespaces?.find(({ type }) => type === "network")?.path;
    return {
      display: podId,
      internalId: pod.id,
      name: podId,
      podId,
      uid: pod.metadata?.uid ?? "",
      image: info.image ?? "",
      pid: info.pid ?? 0,
      status: PodSandboxState[pod.state] ?? "UNKNOWN",
      networkNamespace: network === undefined ? "" : basename(network),
      isSandbox: true,
      logPath: "",
    };
  }

  async function describeContainer(container: Container, podId: string, signal: AbortSignal) {
    const answer = await runtime.containerStatus({ containerId: container.id, verbose: true }, { signal });
    const name = container.metadata?.name ?? "";
    return {
      display: `${podId}:${name}:${container.id.slice(0, shownIdLength)}`,
      internalId: container.id,
      name,
      podId,
      uid: "",
      image: container.imageRef,
      pid: parseInfo(answer.info["info"]).pid ?? 0,
      status: ContainerState[container.state] ?? "UNKNOWN",
      networkNamespace: "",
      isSandbox: false,
      logPath: answer.status?.logPath ?? "",
    };
  }

  /** Each pod, and after it its containers. */
  async function list(signal: AbortSignal): Promise<readonly InspectedContainer[]> {
    const ready = { state: { state: PodSandboxState.SANDBOX_READY } };
    const [{ items }, { containers }, names] = await Promise.all([
      runtime.listPodSandbox({ filter: ready }, { signal }),
      runtime.listContainers({}, { signal }),
      imageNames(signal),
    ]);
    const named = <T extends InspectedContainer>(entry: T): T => ({
      ...entry,
      image: names.get(entry.image) ?? entry.image,
    });
    const byPod = Map.groupBy(containers, ({ podSandboxId }) => podSandboxId);
    const withContainers = async (item: PodSandbox): Promise<InspectedContainer[]> => {
      const pod = await describePod(item, signal);
      const inside = (byPod.get(item.id) ?? []).map((each) => describeContainer(each, pod.podId, signal));
      return [pod, ...(await Promise.all(inside))];
    };
    const pods = await Promise.all(items.map(withContainers));
    return pods.flat().map(named);
  }

  return {
    list: (signal) =>
      list(signal).catch((err: unknown) => {
        throw unreachable("cri", err);
      }),
    async usage(signal) {
      const { stats } = await runtime.listContainerStats({}, { signal });
      return new Map(
        stats.map(({ attributes, memory, cpu }) => [
          attributes?.id ?? "",
          {
            memoryBytes: memory?.workingSetBytes?.value ?? 0n,
            cpuNanoseconds: cpu?.usageCoreNanoSeconds?.value ?? 0n,
          },
        ]),
      );
    },
    async stop({ internalId, isSandbox }, signal) {
      if (isSandbox) await runtime.stopPodSandbox({ podSandboxId: internalId }, { signal });
      else await runtime.stopContainer({ containerId: internalId, timeout: stopSeconds }, { signal });
    },
    [Symbol.asyncDispose]: () => channel[Symbol.asyncDispose](),
  };
}

function parseInfo(text: string | undefined): VerboseInfo {
  try {
    return JSON.parse(text ?? "{}") as VerboseInfo;
  } catch {
    return {};
  }
}
