import type { BootAssets } from "../../../boot-loader/boot-assets.ts";
import { openImageAssets, type OpenImageOptions } from "../../../boot-loader/image-assets.ts";
import type { ApiDependencies } from "../../api-dependencies.ts";
import { tellProgress, type ProgressResponse } from "./tell-progress.ts";

/** Describes what both methods need of the machine. */
export type LifecycleDependencies = Pick<
  ApiDependencies,
  "platform" | "images" | "linux" | "clock" | "root" | "bootLoader" | "logger" | "state"
>;

/** Runs work with the boot assets of an installer image; its messages go to the caller and to the log of the machine. */
export function fromImage(
  machine: LifecycleDependencies,
  reference: string,
  { namespace, signal }: Required<Pick<OpenImageOptions, "namespace" | "signal">>,
  work: (assets: BootAssets, tell: (message: string) => void) => Promise<unknown>,
): AsyncGenerator<ProgressResponse, void, undefined> {
  return tellProgress(async (toCaller) => {
    const tell = (message: string): void => {
      toCaller(message);
      machine.logger.info(message);
    };
    const sources = { ...machine, mounts: machine.linux.mounts };
    await using assets = await openImageAssets(sources, reference, { namespace, tell, signal });
    await work(assets, tell);
  });
}
