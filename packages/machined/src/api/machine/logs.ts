import type { Handler } from "../handler.ts";

/** Longest piece of a log in one message. */
const pieceBytes = 64 * 1024;

export const logs: Handler<"logs"> = (machine) =>
  async function* (request, { signal }) {
    const ring = machine.logs.get(request.id);
    for await (const chunk of ring.read({ signal, follow: request.follow, tailLines: request.tailLines })) {
      for (let from = 0; from < chunk.length; from += pieceBytes)
        yield { bytes: chunk.subarray(from, from + pieceBytes) };
    }
  };

export const logsContainers: Handler<"logsContainers"> = (machine) => async () => ({
  messages: [{ ids: [...machine.logs.ids()] }],
});
