import { openInspector } from "../../support/containers/open-inspector.ts";
import type { Handler } from "./handler.ts";

export const stats: Handler<"stats"> =
  (machine) =>
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
