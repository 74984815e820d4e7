import type { Handler } from "./handler.ts";

export const loadAvg: Handler<"loadAvg"> = (machine) => async () => ({
  messages: [await machine.linux.procfs.loadAverage()],
});
