import { isKind, OsError } from "@talos-ts/base";
import type { ResourceDefinition } from "@talos-ts/cosi";
import { joinErrors } from "@talos-ts/machinery/client";
import { listDefinitions, rawResources, type RawEvent } from "@talos-ts/machinery/client/resources";
import { findDefinition, resourceDefinitions } from "@talos-ts/machinery/resources";
import type { CommandDefinition, Invocation } from "../command.ts";
import { suggestFormats } from "../completion/suggest.ts";
import { createResourceWriter, type ResourceWriter } from "../output/resources/resource-writer.ts";
import { openSession, type Session } from "../session/session.ts";
import { flag, textOption } from "../values.ts";

export const command: CommandDefinition = {
  description: "Shows resources of the machine: one, or all of a type. `talosctl get rd` lists the types.",
  arguments: [
    {
      spec: "<type>",
      description: "type of the resources, by any of its names",
      suggest: async () => [
        ...new Set(
          resourceDefinitions().flatMap(({ type, displayType }) => [
            displayType.toLowerCase(),
            (type.split(".")[0] ?? "").toLowerCase(),
          ]),
        ),
      ],
    },
    { spec: "[id]", description: "only this one" },
  ],
  options: [
    { flags: "--namespace <name>", description: "namespace of the resources (default: the one of the type)" },
    {
      flags: "-o, --output <format>",
      description: "table, yaml, json or jsonpath=<template>",
      default: "table",
      suggest: suggestFormats,
    },
    { flags: "-w, --watch", description: "go on and show changes" },
    { flags: "-i, --insecure", description: "use the API of a machine in maintenance mode" },
  ],
  examples: [
    "talosctl get rd",
    "talosctl get members -o yaml",
    "talosctl get services -w",
    "talosctl get hostname -o jsonpath='{.spec.hostname}'",
  ],
  async run(invocation) {
    const [type = "", id] = invocation.args;
    const format = textOption(invocation, "output") ?? "table";
    const writer = await createResourceWriter(format, (text) => invocation.io.out(text));
    await using session = await openSession(invocation, { insecure: flag(invocation, "insecure") });
    const definition = findDefinition(await knownDefinitions(session), type);
    const show = flag(invocation, "watch") ? watch : list;
    writer.header(definition, show === watch);
    await show(session, invocation, writer, definition, id);
  },
};

/** Types of resources, as the first node knows them that answers. */
async function knownDefinitions(session: Session): Promise<readonly ResourceDefinition[]> {
  let unreachable: unknown;
  for (const node of session.targets) {
    try {
      return await listDefinitions(rawResources(session.connection, node));
    } catch (err) {
      if (!isKind(err, "unavailable") && !isKind(err, "deadline-exceeded")) throw err;
      unreachable ??= err;
    }
  }
  throw unreachable;
}

type Show = (
  session: Session,
  invocation: Invocation,
  writer: ResourceWriter,
  definition: ResourceDefinition,
  id: string | undefined,
) => Promise<void>;

/** A node that fails does not hide what the others have. */
const list: Show = async (session, invocation, writer, { type, defaultNamespace }, id) => {
  const namespace = textOption(invocation, "namespace") ?? defaultNamespace;
  const errors: OsError[] = [];
  for (const node of session.targets) {
    const resources = rawResources(session.connection, node);
    try {
      const found =
        id === undefined ? await resources.list({ namespace, type }) : [await resources.get({ namespace, type, id })];
      for (const resource of found) writer.resource(node ?? session.defaultNode, resource);
    } catch (err) {
      errors.push(ofNode(err, node, `talosctl get ${invocation.args[0] ?? type}`));
    }
  }
  writer.flush();
  if (errors.length > 0) throw joinErrors(errors);
};

/** Until the signal aborts; a watch that cannot go on ends the command. */
const watch: Show = async (session, invocation, writer, { type, defaultNamespace }, id) => {
  const namespace = textOption(invocation, "namespace") ?? defaultNamespace;
  const stop = new AbortController();
  const signal = AbortSignal.any([invocation.signal, stop.signal]);
  const use = (node: string, events: readonly RawEvent[]): void => {
    for (const event of events) {
      if (event.resource !== undefined) writer.resource(node, event.resource, event.type);
    }
  };
  const follow = async (node: string | undefined): Promise<void> => {
    const resources = rawResources(session.connection, node);
    await using events =
      id === undefined
        ? await resources.watchKind({ namespace, type }, { signal, bootstrapContents: true })
        : await resources.watch({ namespace, type, id }, { signal });
    let present = id !== undefined;
    for await (const batch of events) {
      use(node ?? session.defaultNode, batch);
      present ||= batch.some((event) => event.type === "bootstrapped");
      if (present) writer.flush();
    }
  };
  try {
    await Promise.all(
      session.targets.map((node) =>
        follow(node).catch((err: unknown) => {
          throw ofNode(err, node);
        }),
      ),
    );
  } catch (err) {
    if (!invocation.signal.aborted) throw err;
  } finally {
    stop.abort();
  }
};

/** Says which of several nodes an error is from, and what lists the things there are when this one is not. */
function ofNode(err: unknown, node: string | undefined, list?: string): OsError {
  const error = OsError.from(err);
  const { kind, code, message } = error;
  const next = error.next ?? (kind === "not-found" ? list : undefined);
  return new OsError({
    kind,
    code,
    message: node === undefined ? message : `${node}: ${message}`,
    ...(next !== undefined && { next }),
    cause: error,
  });
}
