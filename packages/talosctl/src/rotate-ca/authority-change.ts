import { pemToBase64, type PemPair } from "@talos-ts/crypto";
import type { MainConfig } from "@talos-ts/machinery/config";

/** Part of the configuration with an authority: `machine` for the Talos API, `cluster` for Kubernetes. */
export type AuthoritySection = "machine" | "cluster";

// What each step of a rotation makes of a configuration. Every one of them leaves a configuration alone that is past it.

/** Adds a certificate (PEM) to those that are accepted, unless it is the issuing one. */
export function acceptAuthority(main: MainConfig, section: AuthoritySection, crt: string): MainConfig {
  const part = main[section];
  const added = pemToBase64(crt);
  const accepted = part?.acceptedCAs ?? [];
  if (part?.ca?.crt === added || accepted.some((ca) => ca.crt === added)) return main;
  return { ...main, [section]: { ...part, acceptedCAs: [...accepted, { crt: added }] } };
}

/** Makes another authority the issuing one; the former stays accepted. Only control plane nodes get the key. */
export function issueWith(main: MainConfig, section: AuthoritySection, authority: PemPair, former: string): MainConfig {
  const part = main[section];
  const crt = pemToBase64(authority.crt);
  const key = isControlPlane(main) ? pemToBase64(authority.key) : "";
  const accepted = acceptAuthority(main, section, former)[section]?.acceptedCAs ?? [];
  const others = accepted.filter((ca) => ca.crt !== crt);
  const old = pemToBase64(former);
  const acceptedCAs = others.some((ca) => ca.crt === old) ? others : [...others, { crt: old }];
  if (part?.ca?.crt === crt) return main;
  return { ...main, [section]: { ...part, ca: { crt, key }, acceptedCAs } };
}

/** Takes a certificate out of those that are accepted. */
export function dropAuthority(main: MainConfig, section: AuthoritySection, crt: string): MainConfig {
  const part = main[section];
  const dropped = pemToBase64(crt);
  const accepted = part?.acceptedCAs ?? [];
  if (!accepted.some((ca) => ca.crt === dropped)) return main;
  const { acceptedCAs: _, ...rest } = part ?? {};
  const left = accepted.filter((ca) => ca.crt !== dropped);
  return { ...main, [section]: left.length === 0 ? rest : { ...rest, acceptedCAs: left } };
}

function isControlPlane({ machine }: MainConfig): boolean {
  return machine?.type === "controlplane" || machine?.type === "init";
}
