import type { Linux } from "@talos-ts/linux";
import { findContainer } from "../../support/containers/inspector.ts";
import { openInspector } from "../../support/containers/open-inspector.ts";
import type { MachineMethod } from "./method.ts";

/** Asks a container to end; whoever runs it starts it again. */
export const restart =
  (machine: { readonly linux: Linux; readonly root: string }): MachineMethod<"restart"> =>
  async (request, { signal }) => {
    await using inspector = await openInspector(machine, request);
    await inspector.stop(findContainer(await inspector.list(signal), request.id), signal);
    return { messages: [{}] };
  };
