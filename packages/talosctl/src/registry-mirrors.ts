import { OsError } from "@talos-ts/base";
import type { Invocation } from "./command.ts";
import { listOption } from "./values.ts";

/**
 * Reads `--registry-mirror <host>=<URL>`; several mirrors of a host are tried in order.
 *
 * @throws OsError `cli/bad-request`
 */
export function readRegistryMirrors(
  invocation: Pick<Invocation, "options">,
): Readonly<Record<string, readonly string[]>> {
  const mirrors = listOption(invocation, "registryMirror").map((text) => {
    const [, host, url] = /^([^=]+)=(.+)$/.exec(text) ?? [];
    if (host !== undefined && url !== undefined) return [host, url] as const;
    throw new OsError({
      kind: "invalid-argument",
      code: "cli/bad-request",
      message: `invalid registry mirror spec: ${JSON.stringify(text)}`,
      next: "--registry-mirror docker.io=https://mirror:5000",
    });
  });
  return Object.fromEntries(
    [...Map.groupBy(mirrors, ([host]) => host)].map(([host, pairs]) => [host, pairs.map(([, url]) => url)]),
  );
}
