import { describeError } from "@talos-ts/base";
import type { Logger } from "@talos-ts/cosi";
import type { Linux } from "@talos-ts/linux";

/** Has the kernel announce a change of a block device, so that whoever follows them looks at it again. */
export async function announceChange(
  { linux, logger }: { readonly linux: Pick<Linux, "textFiles">; readonly logger: Logger },
  name: string,
): Promise<void> {
  await linux.textFiles.write(`/sys/class/block/${name}/uevent`, "change").catch((err: unknown) => {
    logger.warn("cannot announce the change of a device", { device: name, error: describeError(err) });
  });
}
