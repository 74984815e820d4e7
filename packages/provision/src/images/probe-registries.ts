/** Asks a registry for its API; resolves to what is wrong, or to nothing when it answers. */
export type ProbeRegistry = (host: string) => Promise<string | undefined>;

export interface ProbeOptions {
  /** @default 3000 */
  readonly timeoutMs?: number;
  /** @default "https" */
  readonly scheme?: "http" | "https";
}

/** Makes a probe; an answer that asks for credentials counts as one. */
export function createProbe({ timeoutMs = 3000, scheme = "https" }: ProbeOptions = {}): ProbeRegistry {
  return async (host) => {
    try {
      const { status } = await fetch(`${scheme}://${host}/v2/`, {
        method: "HEAD",
        redirect: "manual",
        signal: AbortSignal.timeout(timeoutMs),
      });
      return status < 400 || status === 401 ? undefined : `answers with status ${String(status)}`;
    } catch (err) {
      const { name, cause } = err as Error;
      if (name === "TimeoutError") return `does not answer in ${String(timeoutMs / 1000)} s`;
      return cause instanceof Error && cause.message !== "" ? `fails: ${cause.message}` : "cannot be reached";
    }
  };
}

/** Hosts of the registries that images come from, sorted. */
export function registryHosts(references: readonly string[]): string[] {
  return [...new Set(references.map((reference) => reference.slice(0, reference.indexOf("/"))))].sort();
}
