import { describeError, kindOfStatus, OsError } from "@talos-ts/base";
import { readErrorInfo } from "@talos-ts/grpc";
import type { Metadata } from "@talos-ts/proto/common/common";

/** Part of an answer that several nodes gave; the endpoint says which node, and why there is nothing else. */
export interface NodeMessage {
  readonly metadata?: Metadata | undefined;
}

/** An answer with one message of each node. */
export interface NodeMessages<M extends NodeMessage> {
  readonly messages: readonly M[];
}

/** Answers and failures of several nodes, apart. */
export interface Filtered<M> {
  readonly messages: readonly M[];
  /** One for each node that failed. */
  readonly errors: readonly OsError[];
}

/** The failure that a message stands for; `undefined` when it is an answer. */
export function nodeErrorOf({ metadata }: NodeMessage): OsError | undefined {
  if (metadata === undefined || metadata.error === "") return undefined;
  const { hostname: node, error, status } = metadata;
  const { code: remoteCode, next } = readErrorInfo(status?.details ?? []);
  return new OsError({
    kind: kindOfStatus(status?.code ?? 2),
    code: "client/node-failed",
    message: `${node}: ${status === undefined || status.message === "" ? error : status.message}`,
    ...(next !== undefined && { next }),
    details: { node, ...(remoteCode !== undefined && { remoteCode }) },
  });
}

/** Tells answers from failures. */
export function filterMessages<M extends NodeMessage>({ messages }: NodeMessages<M>): Filtered<M> {
  const sorted = messages.map((message) => ({ message, error: nodeErrorOf(message) }));
  return {
    messages: sorted.filter(({ error }) => error === undefined).map(({ message }) => message),
    errors: sorted.flatMap(({ error }) => error ?? []),
  };
}

/**
 * One error for all: the only one as it is, or all in one line, of the kind they share, with the first advice that one has, and with all
 * of them in `details.errors`.
 */
export function joinErrors(errors: readonly OsError[]): OsError {
  const [first, ...others] = errors;
  if (first === undefined)
    return new OsError({ kind: "internal", message: "The nodes reported neither a reply nor an error" });
  if (others.length === 0) return first;
  const next = errors.map((error) => error.next).find((advice) => advice !== undefined);
  return new OsError({
    kind: others.every(({ kind }) => kind === first.kind) ? first.kind : "unknown",
    code: first.code,
    message: errors.map(describeError).join("; "),
    ...(next !== undefined && { next }),
    details: { ...first.details, errors },
    cause: first,
  });
}
