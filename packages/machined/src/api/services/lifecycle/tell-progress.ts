import type { MessageInitShape } from "@bufbuild/protobuf";
import { createQueue } from "@talos-ts/base";
import type { LifecycleServiceInstallProgressSchema } from "@talos-ts/proto/machine/lifecycle";

/** Answer of both methods of the service. */
export interface ProgressResponse {
  readonly progress: MessageInitShape<typeof LifecycleServiceInstallProgressSchema>;
}

/** Runs work whose messages are streamed to the caller as they come, and at last an exit code, as of an installer that succeeds. */
export async function* tellProgress(
  work: (tell: (message: string) => void) => Promise<unknown>,
): AsyncGenerator<ProgressResponse, void, undefined> {
  using told = createQueue<string>();
  const working = work((message) => void told.push(`${message}\n`)).finally(() => told.close());
  working.catch(() => undefined);
  for await (const value of told) yield { progress: { response: { case: "message", value } } };
  await working;
  yield { progress: { response: { case: "exitCode", value: 0 } } };
}
