import { pointerTo, shared, strong, destroyReady, type ControllerContext, type Input } from "@talos-ts/cosi";
import { VolumeMountRequest, VolumeMountStatus } from "@talos-ts/machinery/resources/block";

export interface MountedVolumeOptions<T> {
  /** Name of the controller that wants the volume; its request is named after it. */
  readonly controller: string;
  readonly volume: string;
  /** @default {false} */
  readonly readOnly?: boolean;
  /** Prefix of every path, for tests. */
  readonly root: string;
  /** Does the work while the volume is mounted at `path`. Called again if it throws. */
  work(path: string, context: ControllerContext): Promise<T>;
}

/** Work that needs a volume, done in steps: each reconcile goes as far as it can. */
export interface MountedVolume<T> {
  /** Goes on; resolves to the result once the work is done and the volume is let go, and to `undefined` before. */
  step(context: ControllerContext): Promise<{ readonly value: T } | undefined>;
  /** True when it has begun and is not over: another step is needed, even if there is nothing more to do. */
  readonly busy: boolean;
}

/** Returns what a controller must declare to use `withMountedVolume`. */
export function mountedVolumeInputs(controller: string, volume: string): readonly Input[] {
  const id = requestId(controller, volume);
  return [strong(VolumeMountStatus, { id }), destroyReady(VolumeMountRequest, { id })];
}

export const mountedVolumeOutputs = [shared(VolumeMountRequest)] as const;

function requestId(controller: string, volume: string): string {
  return `${controller}-${volume}`;
}

/**
 * Asks for a volume, waits for the mount, holds it with a finalizer during the work, and gives it back.
 *
 * Only what was asked and what was answered tell how far it came, so a controller that fails in between goes on where it
 * was.
 */
export function withMountedVolume<T>(options: MountedVolumeOptions<T>): MountedVolume<T> {
  const { controller, volume, readOnly = false } = options;
  const id = requestId(controller, volume);
  const request = pointerTo(VolumeMountRequest, id);
  const status = pointerTo(VolumeMountStatus, id);
  let done: { readonly value: T } | undefined;
  let busy = false;

  async function release(context: ControllerContext): Promise<boolean> {
    const held = await context.find(VolumeMountStatus, id);
    if (held?.metadata.finalizers.includes(controller) === true) await context.removeFinalizer(status, controller);
    if ((await context.find(VolumeMountRequest, id)) === undefined) return true;
    if (!(await context.teardown(request))) return false;
    await context.destroy(request);
    return true;
  }

  return {
    get busy() {
      return busy;
    },
    async step(context) {
      busy = true;
      if (done === undefined) {
        const asked = await context.find(VolumeMountRequest, id);
        const mounted = await context.find(VolumeMountStatus, id);
        if (asked?.metadata.phase === "tearingDown" || mounted?.metadata.phase === "tearingDown") {
          await release(context);
          return undefined;
        }
        if (asked === undefined) {
          const spec = VolumeMountRequest.spec({ volumeID: volume, requester: controller, readOnly });
          await context.modify(VolumeMountRequest, id, () => spec);
        }
        if (mounted === undefined) return undefined;
        if (!mounted.metadata.finalizers.includes(controller)) await context.addFinalizer(status, controller);
        done = { value: await options.work(`${options.root}${mounted.spec.target}`, context) };
      }
      if (!(await release(context))) return undefined;
      const result = done;
      done = undefined;
      busy = false;
      return result;
    },
  };
}
