import { stat } from "node:fs/promises";
import { createQueue, OsError } from "@talos-ts/base";
import type { MessageInitShape } from "@bufbuild/protobuf";
import {
  DebugContainerRunRequestSpec_Profile as Profile,
  DebugService,
  type DebugContainerRunRequestSchema,
  type DebugContainerRunRequestSpecSchema,
  type DebugContainerRunResponse,
} from "@talos-ts/proto/machine/debug";
import type { CommandDefinition, Invocation } from "../command.ts";
import { checkOneNode } from "../session/one-node.ts";
import { openSession } from "../session/session.ts";
import { listOption } from "../values.ts";
import { imageNamespace, namespaceOption } from "./image/image-namespace.ts";
import { importImageTo } from "./image/import.ts";
import { pullImageOn } from "./image/pull.ts";

type Request = MessageInitShape<typeof DebugContainerRunRequestSchema>;

const sigterm = 15;
/** Messages that wait for the node before input is left alone. */
const maxWaiting = 16;

export const command: CommandDefinition = {
  description: [
    "Runs a container with every privilege on a node and connects this terminal to it. It sees the processes and the network of the node, and",
    "its files at /host. When the command ends, so does the container, and nothing of it is left. Without a terminal, input and output are",
    "passed through as they are. The exit code is that of the container.",
  ].join("\n"),
  arguments: [{ spec: "<image>", description: "tar archive of an image, or its reference" }],
  options: [
    { flags: "--args <arguments>", description: "command line of the container", list: true },
    { ...namespaceOption, choices: ["system", "inmem"], default: "inmem" },
  ],
  examples: [
    "talosctl debug ./debug-tools.tar --args /bin/sh --nodes 10.5.0.2",
    "talosctl debug docker.io/library/alpine:latest --args /bin/sh --nodes 10.5.0.2",
  ],
  async run(invocation) {
    const { args, signal } = invocation;
    const [image = ""] = args;
    await using session = await openSession(invocation);
    checkOneNode(session, "debug", args);
    const [node] = session.targets;
    const containerd = imageNamespace(invocation);
    const isFile = await stat(image).then(
      (found) => found.isFile(),
      () => false,
    );
    const imageName = isFile
      ? await importImageTo(session, node, { file: image, containerd, signal })
      : await pullImageOn(session, invocation, node);
    await attach(
      invocation,
      (requests, gone) => session.one(DebugService, node).containerRun(requests, { signal: gone }),
      {
        containerd,
        imageName,
        args: [...listOption(invocation, "args")],
        profile: Profile.PRIVILEGED,
        tty: invocation.io.terminal !== undefined,
      },
    );
  },
};

/** Passes on what is typed, and signals and changes of size; shows what comes back. */
async function attach(
  { io, signal }: Invocation,
  run: (requests: AsyncIterable<Request>, signal: AbortSignal) => AsyncIterable<DebugContainerRunResponse>,
  spec: MessageInitShape<typeof DebugContainerRunRequestSpecSchema>,
): Promise<void> {
  const { terminal, input } = io;
  using requests = createQueue<Request>();
  using stack = new DisposableStack();
  const typed = (value: Uint8Array): void => {
    requests.push({ request: { case: "stdinData", value } });
    if (requests.size >= maxWaiting) input?.pause();
  };
  /** Input is read no faster than the node takes it. */
  async function* sent(): AsyncGenerator<Request, void, undefined> {
    for await (const request of requests) {
      yield request;
      if (requests.size < maxWaiting) input?.resume();
    }
  }
  requests.push({ request: { case: "spec", value: spec } });
  if (terminal !== undefined) {
    const resize = (): void => {
      const value = { width: terminal.columns, height: terminal.rows };
      requests.push({ request: { case: "termResize", value } });
    };
    stack.use(terminal.takeOver(typed, ""));
    stack.use(terminal.onResize(resize));
    resize();
  } else if (input !== undefined) {
    const end = (): void => requests.close();
    input.on("data", typed).once("end", end);
    stack.defer(() => void input.off("data", typed).off("end", end).pause());
  }
  // The first Ctrl-C is for the container; a second one ends this process, and with it the container. Where the input is over, nothing
  // can be sent any more.
  const gone = new AbortController();
  const interrupt = (): void => {
    if (!requests.push({ request: { case: "signal", value: sigterm } })) gone.abort();
  };
  signal.addEventListener("abort", interrupt, { once: true });
  stack.defer(() => signal.removeEventListener("abort", interrupt));

  for await (const { resp } of run(sent(), gone.signal)) {
    if (resp.case === "stdoutData") io.out(resp.value);
    if (resp.case === "exitCode") return checkExit(resp.value);
    await io.drained?.(signal);
  }
}

function checkExit(exitCode: number): void {
  if (exitCode === 0) return;
  throw new OsError({
    kind: "unknown",
    code: "cli/container-exit",
    message: `container exited with code ${String(exitCode)}`,
    details: { exitCode },
  });
}
