/** Network settings, wherever they were made: documents win over `machine.network`. */

import type { Config } from "../config.ts";
import { hostnameConfig } from "../documents/hostname-config.ts";
import { resolverConfig } from "../documents/resolver-config.ts";
import { staticHostConfig } from "../documents/static-host-config.ts";
import { timeSyncConfig } from "../documents/time-sync-config.ts";
import { goDurationMs } from "@talos-ts/base";
import { documentOf } from "./documents.ts";

/** Configured host name, or how to choose one. */
export interface HostnameSettings {
  readonly hostname: string | undefined;
  /** Rule by which a name is made without one: `talos-addr` from an address, `stable` from the machine's identity. */
  readonly auto: "off" | "talos-addr" | "stable";
}

/** Reads the configured host name; `undefined` when there is none. */
export function hostnameOf(config: Config): HostnameSettings | undefined {
  const document = documentOf(config, hostnameConfig);
  if (document !== undefined) return { hostname: document.hostname, auto: document.auto ?? "off" };
  if (config.main === undefined) return undefined;
  const stable = config.machine?.features?.stableHostname === true;
  return { hostname: config.machine?.network?.hostname, auto: stable ? "stable" : "talos-addr" };
}

/** Configured DNS servers and search domains. */
export interface ResolverSettings {
  readonly nameservers: readonly string[];
  readonly searchDomains: readonly string[];
  readonly disableSearchDomain: boolean;
}

/** Reads the configured DNS servers and search domains. */
export function resolversOf(config: Config): ResolverSettings {
  const document = documentOf(config, resolverConfig);
  if (document === undefined) {
    const { nameservers = [], searchDomains = [], disableSearchDomain = false } = config.machine?.network ?? {};
    return { nameservers, searchDomains, disableSearchDomain };
  }
  return {
    nameservers: (document.nameservers ?? []).flatMap(({ address }) => address ?? []),
    searchDomains: document.searchDomains?.domains ?? [],
    disableSearchDomain: document.searchDomains?.disableDefault ?? false,
  };
}

/** An entry of `/etc/hosts`. */
export interface StaticHost {
  readonly address: string;
  readonly hostnames: readonly string[];
}

/** Entries of /etc/hosts; those of the main document first. */
export function staticHostsOf(config: Config): readonly StaticHost[] {
  const legacy = (config.machine?.network?.extraHostEntries ?? []).map(({ ip = "", aliases = [] }) => ({
    address: ip,
    hostnames: aliases,
  }));
  const documents = config.documents
    .filter(({ kind }) => kind === staticHostConfig.kind)
    .map(({ name, value }) => ({
      address: name,
      hostnames: (value as { hostnames?: readonly string[] }).hostnames ?? [],
    }));
  return [...legacy, ...documents];
}

/** Settings of time synchronization. */
export interface TimeSyncSettings {
  readonly enabled: boolean;
  readonly servers: readonly string[];
  readonly ptpDevices: readonly string[];
  /** Zero waits without end. */
  readonly bootTimeoutMs: number;
}

/** Reads the settings of time synchronization; `undefined` when nothing is configured. */
export function timeSyncOf(config: Config): TimeSyncSettings | undefined {
  const document = documentOf(config, timeSyncConfig);
  const legacy = config.machine?.time;
  if (document !== undefined) {
    return {
      enabled: document.enabled ?? true,
      servers: document.ntp?.servers ?? [],
      ptpDevices: document.ptp?.devices ?? [],
      bootTimeoutMs: goDurationMs(document.bootTimeout ?? "0"),
    };
  }
  if (legacy === undefined) return undefined;
  return {
    enabled: legacy.disabled !== true,
    servers: legacy.servers ?? [],
    ptpDevices: [],
    bootTimeoutMs: goDurationMs(legacy.bootTimeout ?? "0"),
  };
}
