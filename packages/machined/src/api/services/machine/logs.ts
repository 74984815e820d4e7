import type { Linux } from "@talos-ts/linux";
import { OsError } from "@talos-ts/base";
import type { LogsRequest } from "@talos-ts/proto/machine/log";
import type { LogStore } from "../../../logs/log-store.ts";
import { findContainer } from "../../support/containers/inspector.ts";
import { openInspector } from "../../support/containers/open-inspector.ts";
import { followFile } from "../../support/files/follow-file.ts";
import { resolvePath } from "../../support/files/resolve-path.ts";
import type { MachineMethod } from "./method.ts";

/** Longest piece of a log in one message. */
const pieceBytes = 64 * 1024;

export const logs = (machine: {
  readonly linux: Linux;
  readonly logs: LogStore;
  readonly root: string;
}): MachineMethod<"logs"> =>
  async function* (request, { signal }) {
    for await (const chunk of read(machine, request, signal)) {
      for (let from = 0; from < chunk.length; from += pieceBytes)
        yield { bytes: chunk.subarray(from, from + pieceBytes) };
    }
  };

/** Services log into memory, the kubelet too, whichever namespace it is looked for in; containers of pods into files. */
async function* read(
  machine: { readonly linux: Linux; readonly logs: LogStore; readonly root: string },
  request: LogsRequest,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  const { namespace, id, follow, tailLines } = request;
  if (namespace === "system" || id === "kubelet") {
    yield* machine.logs.get(id).read({ signal, follow, tailLines });
    return;
  }
  const path = await containerLog(machine, request, signal);
  yield* followFile(await resolvePath(machine.root, path), { root: machine.root, signal, follow, tailLines });
}

async function containerLog(
  machine: { readonly linux: Linux; readonly logs: LogStore; readonly root: string },
  request: LogsRequest,
  signal: AbortSignal,
): Promise<string> {
  await using inspector = await openInspector(machine, request);
  const { logPath } = findContainer(await inspector.list(signal), request.id);
  if (logPath !== "") return logPath;
  throw new OsError({
    kind: "not-found",
    code: "logs/not-kept",
    message: "no log available",
    details: { id: request.id },
    next: "talosctl containers -k",
  });
}
