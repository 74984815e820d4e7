import type { Handler } from "./handler.ts";

export const serviceStart: Handler<"serviceStart"> = (machine) => async (request) => ({
  messages: [{ resp: await machine.services.operate(request.id, "start") }],
});

export const serviceStop: Handler<"serviceStop"> = (machine) => async (request) => ({
  messages: [{ resp: await machine.services.operate(request.id, "stop") }],
});

export const serviceRestart: Handler<"serviceRestart"> = (machine) => async (request) => ({
  messages: [{ resp: await machine.services.operate(request.id, "restart") }],
});
