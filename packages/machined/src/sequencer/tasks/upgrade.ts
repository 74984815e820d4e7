import type { BootLoader } from "../../boot-loader.ts";
import type { BootAssets } from "../../boot-loader/boot-assets.ts";
import type { ImageNamespace } from "../../images/namespaces.ts";
import type { Task, TaskContext } from "../../sequence.ts";

export interface UpgradeDependencies {
  readonly bootLoader: Pick<BootLoader, "install">;
  /** Opens the boot assets of an installer image. */
  readonly openImage: (
    reference: string,
    namespace: ImageNamespace,
    context: Pick<TaskContext, "log" | "signal">,
  ) => Promise<BootAssets>;
}

/** Installs the version of an image beside the one that runs, so that it is started next. */
export function upgrade({ bootLoader, openImage }: UpgradeDependencies): Task {
  return async (context) => {
    const { request, log, signal } = context;
    await using assets = await openImage(request.image ?? "", request.imageNamespace ?? "system", context);
    await bootLoader.install(assets, { tell: log, signal });
  };
}
