/** Registry settings, wherever they were made: a document replaces what `machine.registries` says about its host. */

import { pemFromBase64 } from "@talos-ts/crypto";
import type { Config } from "../config.ts";
import { registryAuthConfig } from "../documents/registry-auth-config.ts";
import { registryMirrorConfig } from "../documents/registry-mirror-config.ts";
import { registryTlsConfig } from "../documents/registry-tls-config.ts";
import { documentsOf } from "./documents.ts";

/** Endpoints that are asked instead of a registry. */
export interface RegistryMirror {
  readonly endpoints: readonly { readonly url: string; readonly overridePath: boolean }[];
  readonly skipFallback: boolean;
}

/** Credentials for a registry. */
export interface RegistryAuth {
  readonly username: string;
  readonly password: string;
  readonly auth: string;
  readonly identityToken: string;
}

/** TLS settings for a registry, PEM. */
export interface RegistryTls {
  /** PEM. */
  readonly clientIdentity: { readonly crt: string; readonly key: string } | undefined;
  /** PEM; empty for none. */
  readonly ca: string;
  readonly insecureSkipVerify: boolean;
}

/** By registry host. */
type ByHost<T> = ReadonlyMap<string, T>;

/** Reads the mirrors of registries from the main document and the documents of their own, which win. */
export function registryMirrorsOf(config: Config): ByHost<RegistryMirror> {
  const legacy = Object.entries(config.machine?.registries?.mirrors ?? {}).map(([host, mirror]) => {
    const overridePath = mirror.overridePath ?? false;
    const endpoints = (mirror.endpoints ?? []).map((url) => ({ url, overridePath }));
    return [host, { endpoints, skipFallback: mirror.skipFallback ?? false }] as const;
  });
  const documents = documentsOf(config, registryMirrorConfig).map((mirror) => {
    const endpoints = (mirror.endpoints ?? []).map(({ url = "", overridePath = false }) => ({ url, overridePath }));
    return [mirror.name ?? "", { endpoints, skipFallback: mirror.skipFallback ?? false }] as const;
  });
  return new Map([...legacy, ...documents]);
}

/** Reads the credentials of registries from the main document and the documents of their own, which win. */
export function registryAuthsOf(config: Config): ByHost<RegistryAuth> {
  const complete = (auth: Partial<{ [K in keyof RegistryAuth]: string | undefined }>): RegistryAuth => ({
    username: auth.username ?? "",
    password: auth.password ?? "",
    auth: auth.auth ?? "",
    identityToken: auth.identityToken ?? "",
  });
  const legacy = Object.entries(config.machine?.registries?.config ?? {}).flatMap(([host, { auth }]) =>
    auth === undefined ? [] : [[host, complete(auth)] as const],
  );
  const documents = documentsOf(config, registryAuthConfig).map((auth) => [auth.name ?? "", complete(auth)] as const);
  return new Map([...legacy, ...documents]);
}

/** Reads the TLS settings of registries from the main document and the documents of their own, which win. */
export function registryTlsOf(config: Config): ByHost<RegistryTls> {
  const legacy = Object.entries(config.machine?.registries?.config ?? {}).flatMap(([host, { tls }]) => {
    if (tls === undefined) return [];
    const identity = tls.clientIdentity;
    const clientIdentity =
      identity === undefined
        ? undefined
        : {
            crt: pemFromBase64(identity.crt ?? "", "clientIdentity.crt"),
            key: pemFromBase64(identity.key ?? "", "clientIdentity.key"),
          };
    const insecureSkipVerify = tls.insecureSkipVerify ?? false;
    return [[host, { clientIdentity, ca: pemFromBase64(tls.ca ?? "", "tls.ca"), insecureSkipVerify }] as const];
  });
  const documents = documentsOf(config, registryTlsConfig).map((tls) => {
    const identity = tls.clientIdentity;
    const clientIdentity = identity === undefined ? undefined : { crt: identity.cert ?? "", key: identity.key ?? "" };
    return [
      tls.name ?? "",
      { clientIdentity, ca: tls.ca ?? "", insecureSkipVerify: tls.insecureSkipVerify ?? false },
    ] as const;
  });
  return new Map([...legacy, ...documents]);
}
