import type { Handler } from "./handler.ts";

export const hostname: Handler<"hostname"> = (machine) => async () => ({
  messages: [{ hostname: machine.linux.system.hostname() }],
});
