import { kernelError } from "../ffi/errno.ts";
import type { UnixDatagrams } from "../unix-datagrams/unix-datagrams.ts";

export function createMemoryUnixDatagrams(): UnixDatagrams {
  const listeners = new Map<string, (message: Buffer) => void>();
  return {
    async listen({ path, onMessage }) {
      listeners.set(path, onMessage);
      return {
        async [Symbol.asyncDispose]() {
          if (listeners.get(path) === onMessage) listeners.delete(path);
        },
      };
    },
    async send(path, message) {
      const listener = listeners.get(path);
      if (listener === undefined) throw kernelError({ area: "unix", action: `send to "${path}"`, errno: "ENOENT" });
      setImmediate(() => listener(Buffer.from(message)));
    },
  };
}
