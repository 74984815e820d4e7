import { OsError } from "@talos-ts/base";
import { createChannel, createClient, type Channel, type ClientTls } from "@talos-ts/grpc";
import { Compare_CompareResult, Compare_CompareTarget, KV } from "@talos-ts/proto/etcd/rpc";
import type { Value } from "./history.ts";
import type { Store, StoreClient } from "./store.ts";

const timeoutMs = 3000;
/** Short, as these members are one bridge away: the next one is asked sooner. */
const connectTimeoutMs = 1000;
const text = (bytes: Uint8Array | undefined): Value =>
  bytes === undefined ? undefined : Buffer.from(bytes).toString();

/** Registers are keys of etcd, read and written through the members at the targets, which every client takes in turn. */
export function createEtcdStore(targets: readonly string[], tls: ClientTls): Store {
  return {
    name: "etcd",
    connect: (index) => connect(targets, tls, index),
    refused: (err) => err instanceof OsError && err.code.startsWith("grpc/connect"),
  };
}

function connect(targets: readonly string[], tls: ClientTls, first: number): StoreClient {
  let turn = first;
  const open = (): Channel => createChannel({ target: targets[turn % targets.length] ?? "", tls, connectTimeoutMs });
  let channel = open();
  /** Makes a call; after a failure the next member is asked. */
  const call = async <T>(work: (channel: Channel) => Promise<T>): Promise<T> => {
    try {
      return await work(channel);
    } catch (err) {
      turn += 1;
      void channel.close();
      channel = open();
      throw err;
    }
  };
  return {
    read: (key) =>
      call(async (to) => {
        const { kvs } = await createClient(KV, to).range({ key: Buffer.from(key) }, { timeoutMs });
        return text(kvs[0]?.value);
      }),
    write: (key, value) =>
      call(async (to) => {
        await createClient(KV, to).put({ key: Buffer.from(key), value: Buffer.from(value) }, { timeoutMs });
      }),
    swap: (key, expected, value) =>
      call(async (to) => {
        const bytes = Buffer.from(key);
        const request = await createClient(KV, to).txn(
          {
            compare: [
              {
                key: bytes,
                result: Compare_CompareResult.EQUAL,
                ...(expected === undefined
                  ? { target: Compare_CompareTarget.VERSION, targetUnion: { case: "version", value: 0n } }
                  : {
                      target: Compare_CompareTarget.VALUE,
                      targetUnion: { case: "value", value: Buffer.from(expected) },
                    }),
              },
            ],
            success: [{ request: { case: "requestPut", value: { key: bytes, value: Buffer.from(value) } } }],
            failure: [{ request: { case: "requestRange", value: { key: bytes } } }],
          },
          { timeoutMs },
        );
        if (request.succeeded) return { swapped: true };
        const [answer] = request.responses;
        const range = answer?.response.case === "responseRange" ? answer.response.value : undefined;
        return { swapped: false, found: text(range?.kvs[0]?.value) };
      }),
    [Symbol.asyncDispose]: () => channel.close(),
  };
}
