import { findContainer } from "../../support/containers/inspector.ts";
import { openInspector } from "../../support/containers/open-inspector.ts";
import type { Handler } from "./handler.ts";

/** Asks a container to end; whoever runs it starts it again. */
export const restart: Handler<"restart"> =
  (machine) =>
  async (request, { signal }) => {
    await using inspector = await openInspector(machine, request);
    await inspector.stop(findContainer(await inspector.list(signal), request.id), signal);
    return { messages: [{}] };
  };
