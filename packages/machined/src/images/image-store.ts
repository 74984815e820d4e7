import { createBackoff, describeError, isKind, OsError, systemClock, type Clock } from "@talos-ts/base";
import { readOptional } from "@talos-ts/host";
import type { ImageRule } from "@talos-ts/machinery/config";
import {
  createRegistryClient,
  formatReference,
  parseReference,
  type ImageReference,
  type ImageSource,
  type RegistryCredentials,
  type RegistrySettings,
} from "@talos-ts/oci";
import { createContainerdClient, type ContainerdClient } from "../containerd/client.ts";
import { findLocalImage, type LocalImage } from "./local-image.ts";
import { imageNamespaces, type ImageNamespace } from "./namespaces.ts";
import type { OnProgress } from "./progress.ts";
import { pullImage } from "./pull-image.ts";
import { decideByRule, isDecided, isRefusal, verifyImage, type ImageVerification } from "./verify-image.ts";

export interface PullOptions {
  readonly namespace: ImageNamespace;
  readonly progress?: OnProgress;
  readonly signal?: AbortSignal;
}

export interface EnsureOptions extends PullOptions {
  /** Told what is going on, for the history of a service. */
  readonly report?: (message: string) => void;
}

export interface VerifyOptions {
  /** Credentials for a registry, by its host, besides those of the configuration. */
  readonly credentials?: Readonly<Record<string, RegistryCredentials>>;
  readonly signal?: AbortSignal;
}

/** Images on this machine and how they get here. */
export interface ImageStore {
  /** The containerd that keeps the images of a namespace. */
  connect(namespace: ImageNamespace): ContainerdClient;
  /** `undefined` unless the image is here and unpacked. @throws invalid-argument for a bad reference */
  find(reference: string, namespace: ImageNamespace): Promise<LocalImage | undefined>;
  /**
   * Pulls an image from its registry, also when it is here already; pulls of the same reference at the same time are one. An image
   * that the rules of the configuration refuse is not pulled.
   *
   * @throws `failed to pull image "…": …`
   */
  pull(reference: string, options: PullOptions): Promise<LocalImage>;
  /**
   * Finds an image, or pulls it again and again, until it is here or `retryForMs` are over. Each failure is logged; a refusal by the
   * rules is final.
   */
  ensure(reference: string, options: EnsureOptions): Promise<LocalImage>;
  /** Verifies an image of a registry as the rules of the configuration say. */
  verify(reference: ImageReference, options?: VerifyOptions): Promise<ImageVerification>;
}

export interface ImageStoreOptions {
  /** Current settings of registries. */
  readonly registries: (signal?: AbortSignal) => Promise<RegistrySettings>;
  /** Finds the rule for a registry and repository. @default none */
  readonly rule?: (repository: string) => Promise<ImageRule | undefined>;
  readonly log: (message: string) => void;
  /** Prefix of the paths of sockets, for tests. */
  readonly root: string;
  /** @default twenty minutes */
  readonly retryForMs?: number;
  readonly clock?: Clock;
}

/** The CAs that the machine trusts, those of its configuration among them. */
const trustedCaFile = "/etc/ssl/certs/ca-certificates.crt";

interface RunningPull {
  readonly done: Promise<LocalImage>;
  readonly listeners: Set<OnProgress>;
  readonly abort: AbortController;
  users: number;
}

export function createImageStore(options: ImageStoreOptions): ImageStore {
  const { log, clock = systemClock, retryForMs = 20 * 60_000 } = options;
  const running = new Map<string, RunningPull>();

  const connect = (namespace: ImageNamespace): ContainerdClient => {
    const { socket, namespace: name } = imageNamespaces[namespace];
    return createContainerdClient(`${options.root}${socket}`, name);
  };

  async function openRegistries({ credentials = {}, signal }: VerifyOptions): Promise<ImageSource & Disposable> {
    const trustedCas = (await readOptional(`${options.root}${trustedCaFile}`))?.toString() ?? "";
    const settings = await options.registries(signal);
    const auths = { ...settings.auths, ...credentials };
    return createRegistryClient({
      settings: { ...settings, auths },
      clock,
      ...(trustedCas === "" ? {} : { trustedCas }),
    });
  }

  const ruleFor = async ({ registry, repository }: ImageReference): Promise<ImageRule | undefined> =>
    await options.rule?.(`${registry}/${repository}`);

  async function pullOnce(text: string, namespace: ImageNamespace, progress: OnProgress, signal: AbortSignal) {
    const reference = parseReference(text);
    const decided = decideByRule(await ruleFor(reference));
    using source = await openRegistries({ signal });
    const check = async (digest: string): Promise<void> => {
      if (!isDecided(decided)) await verifyImage({ rule: decided, reference, digest, source, signal });
    };
    await using client = connect(namespace);
    return await pullImage({ reference, source, client, check, progress, signal });
  }

  function forget(key: string, pull: RunningPull): void {
    if (running.get(key) === pull) running.delete(key);
  }

  function start(key: string, text: string, namespace: ImageNamespace): RunningPull {
    const listeners = new Set<OnProgress>();
    const abort = new AbortController();
    const tell: OnProgress = (progress) => {
      for (const listener of listeners) listener(progress);
    };
    const done = pullOnce(text, namespace, tell, abort.signal).finally(() => forget(key, pull));
    done.catch(() => undefined);
    const pull: RunningPull = { done, listeners, abort, users: 0 };
    running.set(key, pull);
    return pull;
  }

  /** Takes part in a pull that runs, or starts one; the last one who leaves ends it. */
  async function join(text: string, { namespace, progress, signal }: PullOptions): Promise<LocalImage> {
    const key = `${namespace} ${text}`;
    const pull = running.get(key) ?? start(key, text, namespace);
    pull.users += 1;
    if (progress !== undefined) pull.listeners.add(progress);
    const left = Promise.withResolvers<never>();
    const leave = (): void => left.reject(new OsError({ kind: "cancelled", message: "context canceled" }));
    signal?.addEventListener("abort", leave, { once: true });
    if (signal?.aborted === true) leave();
    try {
      return await Promise.race([pull.done, left.promise]);
    } finally {
      signal?.removeEventListener("abort", leave);
      if (progress !== undefined) pull.listeners.delete(progress);
      pull.users -= 1;
      if (pull.users === 0) {
        // First of all: whoever comes now must not join a pull that is about to fail.
        forget(key, pull);
        pull.abort.abort();
      }
    }
  }

  async function pull(text: string, pullOptions: PullOptions): Promise<LocalImage> {
    const name = formatReference(parseReference(text));
    try {
      return await join(name, pullOptions);
    } catch (err) {
      const { kind, code, next } = OsError.from(err);
      const message = `failed to pull image "${name}": ${describeError(err)}`;
      throw new OsError({ kind, code, message, cause: err, ...(next === undefined ? {} : { next }) });
    }
  }

  async function find(text: string, namespace: ImageNamespace): Promise<LocalImage | undefined> {
    const name = formatReference(parseReference(text));
    await using client = connect(namespace);
    return await findLocalImage(client, name);
  }

  async function verify(reference: ImageReference, verifyOptions: VerifyOptions = {}): Promise<ImageVerification> {
    const { signal } = verifyOptions;
    const decided = decideByRule(await ruleFor(reference));
    if (isDecided(decided)) return decided;
    using source = await openRegistries(verifyOptions);
    const digest = reference.digest ?? (await source.resolve(reference, signal)).descriptor.digest;
    return await verifyImage({ rule: decided, reference, digest, source, signal });
  }

  return {
    connect,
    find,
    pull,
    verify,
    async ensure(text, ensureOptions) {
      const { namespace, report, signal } = ensureOptions;
      const name = formatReference(parseReference(text));
      const backoff = createBackoff({ initialMs: 1000, maxMs: 30_000 });
      const until = clock.monotonic() + retryForMs;
      for (;;) {
        try {
          const present = await find(name, namespace);
          if (present !== undefined) return present;
          report?.(`Pulling image ${name}`);
          return await pull(name, ensureOptions);
        } catch (err) {
          if (signal?.aborted === true || isKind(err, "invalid-argument") || isRefusal(err)) throw err;
          const delay = backoff.next();
          if (clock.monotonic() + delay > until) throw err;
          log(`retrying error: ${describeError(err)}`);
          report?.(`Retrying error: ${describeError(err)}`);
          await clock.sleep(delay, signal);
        }
      }
    },
  };
}
