import type { Clock } from "@talos-ts/base";
import { weak, type Controller } from "@talos-ts/cosi";
import { EtcdSpec } from "@talos-ts/machinery/resources/etcd";
import { KubeletSpec } from "@talos-ts/machinery/resources/k8s";
import { imageGcController } from "./internal/image-gc.ts";

/** Removes images of older versions of etcd and the kubelet; those of pods are the kubelet's. */
export function criImageGCController(machine: { readonly clock: Clock; readonly root: string }): Controller {
  return imageGcController(machine, {
    name: "cri.criImageGCController",
    service: "cri",
    namespace: "system",
    needed: {
      inputs: [weak(EtcdSpec), weak(KubeletSpec)],
      async references(reader) {
        const specs = [...(await reader.list(EtcdSpec)), ...(await reader.list(KubeletSpec))];
        return specs.map(({ spec }) => spec.image).filter((image) => image !== "");
      },
    },
  });
}
