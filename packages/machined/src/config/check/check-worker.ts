/** The thread in which configurations are read: whatever they cost, PID 1 goes on. */
import { parentPort } from "node:worker_threads";
import { OsError } from "@talos-ts/base";
import { checkSource, type CheckRequest } from "./check-source.ts";
import type { CheckAnswer } from "./config-checker.ts";

parentPort?.on("message", (request: CheckRequest) => {
  void answer(request).then((message) => parentPort?.postMessage(message, []));
});

async function answer(request: CheckRequest): Promise<CheckAnswer> {
  try {
    return { result: await checkSource(request) };
  } catch (err) {
    const { kind, code, message, next } = OsError.from(err);
    return { error: { kind, code, message, ...(next !== undefined && { next }) } };
  }
}

parentPort?.postMessage("ready", []);
