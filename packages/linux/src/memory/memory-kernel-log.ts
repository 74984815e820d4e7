import type { KernelLog, KernelLogRecord } from "../kmsg/kernel-log.ts";
import { createListeners } from "./listeners.ts";

export function createMemoryKernelLog(): KernelLog {
  const records: KernelLogRecord[] = [];
  const followers = createListeners<KernelLogRecord>();
  return {
    read({ follow = false, from = "start", signal } = {}) {
      const reading = followers.listen({ signal, past: from === "start" ? records : [] });
      if (!follow) reading[Symbol.dispose]();
      return reading;
    },
    async write(text, severity = "info") {
      const record: KernelLogRecord = {
        severity,
        facility: 1,
        sequence: BigInt(records.length),
        timestampMicroseconds: BigInt(records.length) * 1000n,
        continuation: false,
        text,
        values: new Map(),
      };
      records.push(record);
      followers.emit(record);
    },
  };
}
