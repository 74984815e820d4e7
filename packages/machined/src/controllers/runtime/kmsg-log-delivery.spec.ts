import assert from "node:assert/strict";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { describe, it } from "node:test";
import { createResource } from "@talos-ts/cosi";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { KmsgLogConfig } from "@talos-ts/machinery/resources/runtime";
import { testMachine } from "../internal/testing.ts";
import { kmsgLogDeliveryController } from "./kmsg-log-delivery.ts";

describe("kmsgLogDeliveryController()", () => {
  it("sends messages of the kernel, with their facility and priority, to a real socket", async () => {
    const socket = createSocket("udp4");
    socket.bind(0, "127.0.0.1");
    await once(socket, "listening");
    const machine = testMachine();
    await machine.linux.kernelLog.write("disk error", "err");
    await using test = controllerTest({ register: [kmsgLogDeliveryController(machine)] });
    const destinations = [`udp://127.0.0.1:${String(socket.address().port)}`];
    const received = once(socket, "message");
    await test.create(createResource(KmsgLogConfig, KmsgLogConfig.id, KmsgLogConfig.spec({ destinations })));
    const [bytes] = (await received) as [Buffer];
    const { "talos-time": time, ...event } = JSON.parse(bytes.toString()) as Record<string, unknown>;
    assert.deepEqual(event, {
      msg: "disk error",
      "talos-level": "error",
      facility: "user",
      seq: 0,
      clock: 0,
      priority: "err",
    });
    assert.match(String(time), /^\d{4}-/);
    socket.close();
  });
});
