import { createKubernetesClient, kinds, parseKubeconfig } from "@talos-ts/kubernetes";
import { formatYaml } from "../output/yaml.ts";
import { downloadKubeconfig } from "../session/download-kubeconfig.ts";
import type { Session } from "../session/session.ts";
import type { SupportFile } from "./support-file.ts";

/** Objects of Kubernetes, asked with the kubeconfig that a node issues. */
export function clusterFiles(session: Session, node: string | undefined): readonly SupportFile[] {
  const list = async (
    kind: (typeof kinds)["node" | "pod"],
    signal: AbortSignal,
    namespace?: string,
  ): Promise<string> => {
    const only = { all: <S extends Parameters<Session["all"]>[0]>(service: S) => session.one(service, node) };
    const access = await parseKubeconfig(await downloadKubeconfig(only, signal));
    using client = createKubernetesClient({ access, timeoutMs: 10_000 });
    const { items } = await client.list(kind, { signal, ...(namespace !== undefined && { namespace }) });
    return formatYaml({ apiVersion: "v1", kind: "List", items });
  };
  return [
    { name: "kubernetesResources/nodes.yaml", collect: (signal) => list(kinds.node, signal) },
    { name: "kubernetesResources/systemPods.yaml", collect: (signal) => list(kinds.pod, signal, "kube-system") },
  ];
}
