import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createManualClock } from "@talos-ts/base";
import {
  createInMemoryState,
  createResource,
  createResourceRegistry,
  stateService,
  wrapCore,
  type State,
} from "@talos-ts/cosi";
import { createServer, type GrpcServer } from "@talos-ts/grpc";
import { temporaryDirectory } from "@talos-ts/host/testing";
import { HostnameStatus, RouteStatus } from "@talos-ts/machinery/resources/network";
import { MachineStatus } from "@talos-ts/machinery/resources/runtime";
import { State as StateService } from "@talos-ts/proto/cosi/resource";
import { MachineService } from "@talos-ts/proto/machine/machine";
import { drawnTerminal } from "../terminal/testing.ts";
import { runConsole } from "./run-console.ts";

/** Serves the API of a machine, which notes the metadata of calls. */
async function serve(socket: string, state: State, seen: Set<string>): Promise<GrpcServer> {
  const registry = createResourceRegistry([HostnameStatus, MachineStatus, RouteStatus]);
  const server = createServer({
    graceMs: 0,
    interceptors: [
      async ({ metadata }, next) => {
        for (const key of ["talos-role", "node", "nodes"]) {
          for (const value of metadata.getAll(key)) seen.add(`${key}: ${String(value)}`);
        }
        await next();
      },
    ],
  });
  server.addService(StateService, stateService(state, { registry }));
  server.addService(MachineService, {
    serviceList: async () => ({ messages: [{ services: [{ id: "apid", state: "Running" }] }] }),
    async *logs() {
      yield { bytes: Buffer.from("a line of the log\n") };
    },
  });
  await server.listen({ unix: socket });
  return server;
}

describe("runConsole()", () => {
  it("T-02: shows the machine through its own socket, also after the API was away; no key ends it", async () => {
    await using folder = await temporaryDirectory();
    const socket = `${folder.path}/machined.sock`;
    const state = wrapCore(createInMemoryState());
    const hostname = HostnameStatus.spec({ hostname: "talos-abc" });
    const route = RouteStatus.spec({ gateway: "10.5.0.1" });
    await state.create(createResource(HostnameStatus, HostnameStatus.id, hostname));
    await state.create(createResource(RouteStatus, "inet4/10.5.0.1//1024", route));
    await state.create(createResource(MachineStatus, MachineStatus.id, MachineStatus.spec({ stage: "maintenance" })));
    const seen = new Set<string>();
    let server = await serve(socket, state, seen);

    let shown = "";
    let type: (keys: string) => void = () => undefined;
    const terminal = drawnTerminal((text, typing) => {
      shown = text;
      type = typing;
    });
    const clock = createManualClock();
    const stop = new AbortController();
    const windowSize = (): [number, number] => [terminal.columns, terminal.rows];
    const running = runConsole({ socket, terminal, windowSize, clock, signal: stop.signal });
    const shows = async (...wanted: readonly RegExp[]): Promise<void> => {
      while (!wanted.every((each) => each.test(shown))) {
        await clock.advance(500);
        await new Promise(setImmediate);
      }
    };

    await shows(/─ talos-abc ─/, /STAGE +maintenance/, /GATEWAY +10\.5\.0\.1/, /apid +Running/, /a line of the log/);
    assert.deepEqual([...seen], ["talos-role: os:reader"]);
    await server.close();
    await shows(/talos-abc \(does not answer/);
    type("q\u0003");
    await new Promise(setImmediate);
    server = await serve(socket, state, seen);
    await shows(/^talos-abc \((?!does not answer)/m);
    stop.abort();
    await running;
    await server.close();
  });
});
