import { isKind } from "@talos-ts/base";
import { ContainerDriver } from "@talos-ts/proto/common/common";
import {
  ImageService,
  ImageServicePullLayerProgress_Status as Status,
  type ImageServicePullProgress,
} from "@talos-ts/proto/machine/image";
import { MachineService } from "@talos-ts/proto/machine/machine";
import type { CommandDefinition, Invocation } from "../../command.ts";
import { humanBytes } from "../../output/humanize.ts";
import { openSession, type Session } from "../../session/session.ts";
import { imageNamespace, namespaceOption } from "./image-namespace.ts";

export const command: CommandDefinition = {
  arguments: [{ spec: "<image>", description: "reference of the image" }],
  options: [namespaceOption],
  examples: [
    "talosctl image pull registry.k8s.io/pause:3.10.1",
    "talosctl image pull --namespace system registry.k8s.io/etcd:v3.6.16",
  ],
  async run(invocation) {
    await using session = await openSession(invocation);
    for (const node of session.targets) {
      const name = await pullImageOn(session, invocation, node);
      invocation.io.err(`${node ?? session.defaultNode}: pulled image ${name}\n`);
    }
  },
};

/** Lets a node pull the image that the first argument names, and shows how far that is; returns its full name. */
export async function pullImageOn(
  session: Session,
  invocation: Invocation,
  target: string | undefined,
): Promise<string> {
  const { args, signal } = invocation;
  const show = progressLines(invocation, target ?? session.defaultNode);
  return pullImage(session, {
    target,
    imageRef: args[0] ?? "",
    containerd: imageNamespace(invocation),
    show,
    signal,
  });
}

/** Describes an image that a node is to pull. */
export interface ImagePull {
  /** The node; `undefined` for the endpoint itself. */
  readonly target: string | undefined;
  readonly imageRef: string;
  readonly containerd: ReturnType<typeof imageNamespace>;
  /** Shows how far a layer is. @param isEnd no more will be said about it */
  readonly show: (text: string, isEnd: boolean) => void;
  readonly signal: AbortSignal;
}

/** Lets a node pull an image; returns its full name. */
export async function pullImage(session: Session, pull: ImagePull): Promise<string> {
  const { target, imageRef, containerd, show, signal } = pull;
  try {
    for await (const { response } of session.one(ImageService, target).pull({ containerd, imageRef }, { signal })) {
      if (response.case === "pullProgress") showLayer(response.value, show);
      if (response.case === "name") return response.value;
    }
  } catch (err) {
    if (!isKind(err, "unimplemented") || containerd.driver !== ContainerDriver.CRI) throw err;
    const { namespace } = containerd;
    await session.one(MachineService, target).imagePull({ namespace, reference: imageRef }, { signal });
  }
  return imageRef;
}

const texts: Readonly<Record<Status, string>> = {
  [Status.DOWNLOADING]: "downloading",
  [Status.DOWNLOAD_COMPLETE]: "download complete",
  [Status.EXTRACTING]: "extracting",
  [Status.EXTRACT_COMPLETE]: "extract complete",
  [Status.ALREADY_EXISTS]: "already exists",
};

function showLayer({ layerId, progress }: ImageServicePullProgress, show: ImagePull["show"]): void {
  if (progress === undefined) return;
  const { status, offset, total } = progress;
  const layer = layerId.replace(/^sha256:/, "").slice(0, 12);
  const isEnd = status === Status.EXTRACT_COMPLETE || status === Status.ALREADY_EXISTS;
  const amount = status === Status.DOWNLOADING ? `${humanBytes(offset)} of ${humanBytes(total)}` : humanBytes(total);
  show(`${layer}: ${texts[status] ?? String(status)} ${amount}`, isEnd);
}

/** A line for each layer that is done; on a terminal also how far the current one is. */
function progressLines({ io }: Invocation, node: string): ImagePull["show"] {
  return (text, isEnd) => {
    const line = `${node}: ${text}`;
    if (isEnd) io.err(io.isTerminal ? `\r\u001b[K${line}\n` : `${line}\n`);
    else if (io.isTerminal) io.err(`\r\u001b[K${line.slice(0, io.columns - 1)}`);
  };
}
