import { describeError } from "@talos-ts/base";
import { createChannel, createClient } from "@talos-ts/grpc";
import { exists } from "@talos-ts/host";
import { paths } from "@talos-ts/machinery/constants";
import {
  ContainerState,
  NamespaceMode,
  PodSandboxState,
  RuntimeService,
  type PodSandbox,
  type PodSandboxStatusResponse,
} from "@talos-ts/proto/cri/runtime";
import type { Task } from "../../sequence.ts";
import type { ServiceManager } from "../../services/service-manager.ts";

/** Longest time that all pods together may take to stop. */
const stopTimeoutMs = 120_000;
/** Time that a container gets between SIGTERM and SIGKILL. */
const graceSeconds = 30n;

export interface StopAllPodsOptions {
  readonly services: Pick<ServiceManager, "stop">;
  /** Prefix of every path, for tests. Empty on a machine. */
  readonly root: string;
}

/**
 * Stops the kubelet and then every pod: those with a network of their own first, while the pods that clean up networks still
 * run.
 *
 * @param remove also removes them, for a machine that will not run them again. @default {false}
 */
export function stopAllPods({ services, root }: StopAllPodsOptions, { remove = false } = {}): Task {
  return async ({ log }) => {
    await services.stop("kubelet");
    const socket = `${root}${paths.criContainerdSocket}`;
    if (!(await exists(socket))) return;
    await using channel = createChannel({ target: `unix://${socket}` });
    const runtime = createClient(RuntimeService, channel);
    const signal = AbortSignal.timeout(stopTimeoutMs);

    const stop = async ({ id, metadata }: PodSandbox): Promise<void> => {
      const name = `${metadata?.namespace ?? ""}/${metadata?.name ?? ""}`;
      try {
        const state = { state: ContainerState.CONTAINER_RUNNING };
        const { containers } = await runtime.listContainers({ filter: { podSandboxId: id, state } }, { signal });
        await Promise.all(
          containers.map((container) =>
            runtime.stopContainer({ containerId: container.id, timeout: graceSeconds }, { signal }),
          ),
        );
        await runtime.stopPodSandbox({ podSandboxId: id }, { signal });
        if (remove) await runtime.removePodSandbox({ podSandboxId: id }, { signal });
        log(`${remove ? "removed" : "stopped"} pod ${name}`);
      } catch (err) {
        // A machine that is to end ends, also with a pod that does not.
        log(`cannot stop pod ${name}: ${describeError(err)}`);
      }
    };

    try {
      const ready = { state: { state: PodSandboxState.SANDBOX_READY } };
      const { items } = await runtime.listPodSandbox({ filter: ready }, { signal });
      const modes = await Promise.all(items.map(async ({ id }) => networkMode(await status(id))));
      const own = items.filter((_, index) => modes[index] !== NamespaceMode.NODE);
      await Promise.all(own.map(stop));
      await Promise.all(items.filter((pod) => !own.includes(pod)).map(stop));
    } catch (err) {
      log(`cannot stop pods: ${describeError(err)}`);
    }

    function status(podSandboxId: string) {
      return runtime.podSandboxStatus({ podSandboxId }, { signal });
    }
  };
}

function networkMode({ status }: PodSandboxStatusResponse): NamespaceMode {
  return status?.linux?.namespaces?.options?.network ?? NamespaceMode.POD;
}
