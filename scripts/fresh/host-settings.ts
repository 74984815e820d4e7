import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

/** Variables that say how to reach registries; a fresh machine in the same network has them too. */
const networkVariables = [
  /^(?:https?|no|all)_proxy$/i,
  /^GO(?:AUTH|FLAGS|INSECURE|NOPROXY|NOSUMDB|PRIVATE|PROXY|SUMDB)$/,
  /^npm_config_registry$/,
  /^(?:NODE_EXTRA_CA_CERTS|SSL_CERT_DIR|SSL_CERT_FILE|GIT_SSL_CAINFO)$/,
];

/** The bundle of trusted CAs of every Debian. */
const caBundle = "/etc/ssl/certs/ca-certificates.crt";

/** Returns the part of an environment that says how to reach registries. */
export function networkEnvironment(env: NodeJS.ProcessEnv = process.env): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) =>
      value !== undefined && value !== "" && networkVariables.some((pattern) => pattern.test(name))
        ? [[name, value]]
        : [],
    ),
  );
}

/** Files of the host, by the path they have on a fresh machine: resolvers, trusted CAs, settings of npm and Go. */
export function networkFiles(home = homedir()): readonly (readonly [host: string, inside: string])[] {
  const files: readonly (readonly [string, string])[] = [
    ["/etc/resolv.conf", "/etc/resolv.conf"],
    ["/etc/hosts", "/etc/hosts"],
    [caBundle, caBundle],
    [join(home, ".npmrc"), "/root/.npmrc"],
    [join(home, ".config/go/env"), "/root/.config/go/env"],
  ];
  return files.filter(([host]) => existsSync(host));
}
