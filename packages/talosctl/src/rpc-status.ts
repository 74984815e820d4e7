import { describeError, OsError, type ErrorKind } from "@talos-ts/base";

/** A gRPC status in the text of an error: the text as it is, and as grpc-go writes it. */
interface RpcStatus {
  readonly plain: string;
  readonly spelled: string;
}

/**
 * Describes an error as {@link describeError} does, with each gRPC status in the form of grpc-go, which scripts look for:
 * `rpc error: code = NotFound desc = …`.
 */
export function describeFailure(err: unknown): string {
  return statusesOf(err).reduce(respell, describeError(err));
}

/** Writes a status anew wherever it stands in a text and is not yet written so. */
function respell(text: string, { plain, spelled }: RpcStatus): string {
  return text.split(plain).reduce((before, after) => `${before}${before.endsWith(marker) ? plain : spelled}${after}`);
}

const marker = "desc = ";

/** Statuses of an error: those of the errors that it joins, or of its cause, whose code it often has too, or its own. */
function statusesOf(err: unknown): readonly RpcStatus[] {
  if (!(err instanceof OsError)) return [];
  const { errors } = err.details;
  const inner = Array.isArray(errors) ? errors.flatMap(statusesOf) : statusesOf(err.cause);
  return inner.length > 0 ? inner : [statusOf(err) ?? []].flat();
}

/** The status that an error stands for; `undefined` when it stands for none. */
function statusOf({ kind, code, message, details }: OsError): RpcStatus | undefined {
  const spell = (text: string): string => `rpc error: code = ${codeName(kind)} ${marker}${text}`;
  if (code.startsWith("grpc/")) return { plain: message, spelled: spell(message) };
  const { node } = details;
  const prefix = typeof node === "string" ? `${node}: ` : "";
  if (code !== "client/node-failed" || !message.startsWith(prefix)) return undefined;
  return { plain: message, spelled: `${prefix}${spell(message.slice(prefix.length))}` };
}

/** Name of a code as grpc-go prints it; the one that does not follow from the kind is spelled the American way. */
function codeName(kind: ErrorKind): string {
  if (kind === "cancelled") return "Canceled";
  return kind.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());
}
