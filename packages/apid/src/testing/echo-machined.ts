import { OsError } from "@talos-ts/base";
import type { CallContext, Metadata, ServiceImpl } from "@talos-ts/grpc";
import type { MachineService } from "@talos-ts/proto/machine/machine";

/** A machined that tells who it is and what it was sent. */
export interface EchoMachined {
  readonly impl: ServiceImpl<typeof MachineService>;
  /** Metadata of the calls it got, oldest first. */
  readonly received: Metadata[];
  /** Deadlines of the same calls, in ms since the epoch. */
  readonly deadlines: (number | undefined)[];
  /** Settles when a call to `logs` was cancelled. */
  readonly cancelled: Promise<void>;
}

export function createEchoMachined(name: string): EchoMachined {
  const received: Metadata[] = [];
  const cancelled = Promise.withResolvers<void>();
  const deadlines: (number | undefined)[] = [];
  const note = ({ metadata, deadlineMs }: CallContext): void => {
    received.push(metadata);
    deadlines.push(deadlineMs);
  };
  return {
    received,
    deadlines,
    cancelled: cancelled.promise,
    impl: {
      version(_request, context) {
        note(context);
        return { messages: [{ version: { tag: name } }] };
      },
      hostname() {
        throw new OsError({ kind: "permission-denied", message: "not authorized" });
      },
      async *dmesg(_request, context) {
        note(context);
        yield { bytes: Buffer.from(`${name} 1`) };
        yield { bytes: Buffer.from(`${name} 2`) };
      },
      /** Answers with as many bytes in one message as the path says. */
      async *read({ path }) {
        yield { bytes: Buffer.alloc(Number(path)) };
      },
      /** Says one line, then nothing until it is cancelled. */
      async *logs(_request, context) {
        yield { bytes: Buffer.from(name) };
        await new Promise((resolve) => context.signal.addEventListener("abort", resolve));
        cancelled.resolve();
      },
      async etcdRecover(requests) {
        let size = 0;
        for await (const { bytes } of requests) size += bytes.length;
        return { messages: [{ metadata: { hostname: "", error: `${name} got ${size}` } }] };
      },
    },
  };
}
