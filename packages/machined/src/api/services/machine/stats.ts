import type { Linux } from "@talos-ts/linux";
import { openInspector } from "../../support/containers/open-inspector.ts";
import type { MachineMethod } from "./method.ts";

export const stats =
  (machine: { readonly linux: Linux; readonly root: string }): MachineMethod<"stats"> =>
  async (request, { signal }) => {
    await using inspector = await openInspector(machine, request);
    const [found, usage] = [await inspector.list(signal), await inspector.usage(signal)];
    const measured = found.flatMap(({ internalId, isSandbox, display, name, podId }) => {
      const used = usage.get(internalId);
      // A pod itself does nothing; it is named all the same, for its containers stand below it.
      if (used === undefined && !isSandbox) return [];
      const { memoryBytes: memoryUsage = 0n, cpuNanoseconds: cpuUsage = 0n } = used ?? {};
      return { namespace: request.namespace, id: display, podId, name, memoryUsage, cpuUsage };
    });
    return { messages: [{ stats: measured }] };
  };
