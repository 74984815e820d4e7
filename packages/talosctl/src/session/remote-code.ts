import { OsError } from "@talos-ts/base";

/** Finds the code that the far end sent, however many errors it was wrapped into since. */
export function remoteCodeOf(err: unknown): unknown {
  if (!(err instanceof OsError)) return undefined;
  return err.details["remoteCode"] ?? remoteCodeOf(err.cause);
}
