import { createQueue, type Queue, type Clock } from "@talos-ts/base";
import { durationFromMs } from "@bufbuild/protobuf/wkt";
import type { MessageInitShape } from "@bufbuild/protobuf";
import {
  ImageServicePullLayerProgress_Status as Status,
  type ImageServicePullResponseSchema,
} from "@talos-ts/proto/machine/image";
import type { PullProgress } from "../../../images/progress.ts";
import type { ImageStore } from "../../../images/image-store.ts";
import type { ImageMethod } from "./method.ts";
import { imageNamespace } from "./image-namespace.ts";

type Response = MessageInitShape<typeof ImageServicePullResponseSchema>;

const statuses: Readonly<Record<PullProgress["status"], Status>> = {
  downloading: Status.DOWNLOADING,
  downloaded: Status.DOWNLOAD_COMPLETE,
  extracting: Status.EXTRACTING,
  extracted: Status.EXTRACT_COMPLETE,
  exists: Status.ALREADY_EXISTS,
};

/** Interval at which the growth of one layer is told. */
const tellEveryMs = 200;

export const pull = (machine: { readonly images: ImageStore; readonly clock: Clock }): ImageMethod<"pull"> =>
  async function* ({ containerd, imageRef }, { signal }) {
    const namespace = imageNamespace(containerd);
    using told = createQueue<Response>();
    const pulling = machine.images
      .pull(imageRef, { namespace, signal, progress: progressTo(told, machine) })
      .finally(() => told.close());
    pulling.catch(() => undefined);
    yield* told;
    const { name } = await pulling;
    yield { response: { case: "name", value: name } };
  };

function progressTo(told: Queue<Response>, { clock }: { readonly clock: Clock }): (progress: PullProgress) => void {
  const started = new Map<string, number>();
  const last = new Map<string, number>();
  return ({ blob, status, offset, total }) => {
    const now = clock.monotonic();
    if (!started.has(blob)) started.set(blob, now);
    if (status === "downloading" && now - (last.get(blob) ?? -Infinity) < tellEveryMs) return;
    last.set(blob, now);
    const elapsed = durationFromMs(Math.round(now - (started.get(blob) ?? now)));
    const progress = { status: statuses[status], elapsed, offset: BigInt(offset), total: BigInt(total) };
    told.push({ response: { case: "pullProgress", value: { layerId: blob, progress } } });
  };
}
