import type { MessageInitShape } from "@bufbuild/protobuf";
import { describeError, OsError } from "@talos-ts/base";
import type { Logger } from "@talos-ts/cosi";
import type { ServiceImpl } from "@talos-ts/grpc";
import {
  DebugContainerRunRequestSpec_Profile as Profile,
  type DebugContainerRunRequest,
  type DebugContainerRunRequestSpec,
  type DebugContainerRunResponseSchema,
  type DebugService,
} from "@talos-ts/proto/machine/debug";
import { startDebugContainer, type DebugContainer, type DebugDependencies } from "../../../debug/debug-container.ts";
import { imageNamespace } from "../image/image-namespace.ts";

type ContainerRun = NonNullable<ServiceImpl<typeof DebugService>["containerRun"]>;
type Response = MessageInitShape<typeof DebugContainerRunResponseSchema>;

/** Runs a container for as long as the caller listens; its terminal is that of the caller. */
export const containerRun = (machine: DebugDependencies & { readonly logger: Logger }): ContainerRun =>
  async function* (requests, { signal }): AsyncGenerator<Response, void, undefined> {
    const messages = requests[Symbol.asyncIterator]();
    const { containerd, imageName, args, env, tty } = specIn(await messages.next());
    const namespace = imageNamespace(containerd);
    await using container = await startDebugContainer(machine, { namespace, image: imageName, args, env, tty });
    machine.logger.info(`debug container: started ${imageName}`);
    using _stop = killOnAbort(container, signal);
    forward(messages, container).catch((err: unknown) =>
      machine.logger.warn(`debug container: ${describeError(OsError.from(err))}`),
    );
    for await (const value of container.output) yield { resp: { case: "stdoutData", value } };
    const exitCode = await container.exited;
    machine.logger.info(`debug container: ${imageName} ended with exit code ${String(exitCode)}`);
    yield { resp: { case: "exitCode", value: exitCode } };
  };

function specIn({ done, value }: IteratorResult<DebugContainerRunRequest>): DebugContainerRunRequestSpec {
  if (done === true || value.request.case !== "spec") {
    throw new OsError({
      kind: "invalid-argument",
      code: "debug/bad-stream",
      message: "expected debug container spec in the first message",
    });
  }
  const spec = value.request.value;
  if (spec.profile === Profile.PRIVILEGED) return spec;
  throw new OsError({
    kind: "invalid-argument",
    code: "debug/bad-profile",
    message: `unsupported debug container profile: ${Profile[spec.profile] ?? String(spec.profile)}, expected PRIVILEGED`,
  });
}

/** Output ends with the container, so that a caller who is gone does not leave it running. */
function killOnAbort(container: DebugContainer, signal: AbortSignal): Disposable {
  const kill = (): void => void container.signal(9).catch(() => undefined);
  signal.addEventListener("abort", kill, { once: true });
  if (signal.aborted) kill();
  return { [Symbol.dispose]: () => signal.removeEventListener("abort", kill) };
}

/** What each kind of message does. */
async function forward(messages: AsyncIterator<DebugContainerRunRequest>, container: DebugContainer): Promise<void> {
  for (;;) {
    const { done, value } = await messages.next();
    if (done === true) return container.endInput();
    const { request } = value;
    if (request.case === "stdinData") await container.write(request.value);
    else if (request.case === "signal") await container.signal(request.value);
    else if (request.case === "termResize") await container.resize(request.value.width, request.value.height);
  }
}
