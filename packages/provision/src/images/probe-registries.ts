/** What asking a registry for its API found: nothing when it answers. */
export type ProbeRegistry = (host: string) => Promise<string | undefined>;

const timeoutMs = 3000;

/** Asks a registry for its API; an answer that asks for credentials is one too. */
export const probeRegistry: ProbeRegistry = async (host) => {
  try {
    const response = await fetch(`https://${host}/v2/`, {
      method: "HEAD",
      redirect: "manual",
      signal: AbortSignal.timeout(timeoutMs),
    });
    return response.status < 400 || response.status === 401
      ? undefined
      : `answers with status ${String(response.status)}`;
  } catch (err) {
    const { name, cause } = err as Error;
    if (name === "TimeoutError") return `does not answer in ${String(timeoutMs / 1000)} s`;
    return cause instanceof Error ? cause.message : "cannot be reached";
  }
};

/** Hosts of the registries that images come from, sorted. */
export function registryHosts(references: readonly string[]): string[] {
  return [...new Set(references.map((reference) => reference.slice(0, reference.indexOf("/"))))].sort();
}
