/** Lookups for shell completion. They fail quietly and within a second: a person is waiting with a finger on the tab key. */

import { MachineService } from "@talos-ts/proto/machine/machine";
import { resolveContext, type TalosContext } from "@talos-ts/machinery/talosconfig";
import type { Invocation } from "../command.ts";
import { readTalosconfig } from "../commands/config/edit-talosconfig.ts";

const timeoutMs = 1000;

/** Formats of commands that show resources; `jsonpath=` is completed by the person. */
export const suggestFormats = async (): Promise<readonly string[]> => ["table", "yaml", "json", "jsonpath="];

/** Addresses that the context knows. */
export async function suggestAddresses(invocation: Invocation): Promise<readonly string[]> {
  const { nodes, endpoints } = await contextOf(invocation);
  return [...new Set([...nodes, ...endpoints])];
}

/** Services of the nodes that the line names. */
export async function suggestServices(invocation: Invocation): Promise<readonly string[]> {
  return ask(invocation, async (client, options) =>
    (await client.serviceList({}, options)).messages.flatMap(({ services }) => services.map(({ id }) => id)),
  );
}

/** Logs of the nodes that the line names. */
export async function suggestLogs(invocation: Invocation): Promise<readonly string[]> {
  return ask(invocation, async (client, options) =>
    (await client.logsContainers({}, options)).messages.flatMap(({ ids }) => ids),
  );
}

async function contextOf(invocation: Invocation): Promise<TalosContext> {
  return resolveContext(await readTalosconfig(invocation), invocation.global.context);
}

type Machine = ReturnType<typeof clientOf>;

function clientOf(session: Awaited<ReturnType<typeof open>>) {
  return session.all(MachineService);
}

async function open(invocation: Invocation) {
  const { openSession } = await import("../session/session.ts");
  return openSession({ ...invocation, io: { ...invocation.io, err: () => undefined } });
}

async function ask(
  invocation: Invocation,
  question: (client: Machine, options: { readonly timeoutMs: number }) => Promise<readonly string[]>,
): Promise<readonly string[]> {
  await using session = await open(invocation);
  return [...new Set(await question(clientOf(session), { timeoutMs }))].toSorted();
}
