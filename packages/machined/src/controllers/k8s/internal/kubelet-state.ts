import { rm } from "node:fs/promises";
import { describeError, isRecord } from "@talos-ts/base";
import type { Logger } from "@talos-ts/cosi";
import { parseCertificate, parseCertificates, verifyCertificate, type Certificate } from "@talos-ts/crypto";
import { readOptional } from "@talos-ts/host";
import { kubernetesPaths } from "@talos-ts/machinery/constants";
import type { KubeletSpecSpec } from "@talos-ts/machinery/resources/k8s";
import type { KubeletSecretSpec } from "@talos-ts/machinery/resources/secrets";

/** Describes what the kubelet left behind, and what it has to be compared with. */
export interface KubeletState {
  /** Prefix of all paths, for tests. */
  readonly root: string;
  readonly spec: KubeletSpecSpec;
  readonly secret: KubeletSecretSpec;
  readonly now: Date;
  readonly logger: Logger;
}

/** Removes what earlier runs of the kubelet left behind and would keep the next one from starting as configured. */
export async function removeStaleState(state: KubeletState): Promise<void> {
  await removeForeignCertificate(state);
  await removeServingCertificate(state);
  await removeCpuManagerState(state);
}

/** A client certificate for another name or from another authority is of no use: the kubelet has to ask for a new one. */
async function removeForeignCertificate({ root, spec, secret, now, logger }: KubeletState): Promise<void> {
  const pem = await readOptional(`${root}${kubernetesPaths.kubeletPki}/kubelet-client-current.pem`);
  const certificate = pem === undefined ? undefined : leafOf(pem.toString());
  if (certificate === undefined) return;
  const [expected, actual] = [`system:node:${spec.expectedNodename}`, certificate.subject.commonName];
  const foreignName = spec.expectedNodename !== "" && actual !== expected;
  if (foreignName) {
    logger.info("kubelet client certificate does not match expected nodename, removing", { expected, actual });
  } else {
    try {
      const roots = secret.acceptedCAs.map(({ crt }) => parseCertificate(crt));
      verifyCertificate(certificate, { roots, at: now, usage: "clientAuth" });
      return;
    } catch (err) {
      logger.info("kubelet client certificate does not match any accepted CAs, removing", {
        verify_error: describeError(err),
      });
    }
  }
  await rm(`${root}${kubernetesPaths.kubeletPki}`, { recursive: true, force: true });
  await rm(`${root}${kubernetesPaths.kubeletKubeconfig}`, { force: true });
}

function leafOf(pem: string): Certificate | undefined {
  return parseCertificates(pem).find(({ isCa }) => !isCa);
}

/** The kubelet signs its serving certificate itself, once; a new one has the present names and addresses. */
async function removeServingCertificate({ root }: KubeletState): Promise<void> {
  for (const name of ["kubelet.crt", "kubelet.key"]) {
    await rm(`${root}${kubernetesPaths.kubeletPki}/${name}`, { force: true });
  }
}

/** The kubelet refuses to start with the state of another CPU manager policy. */
async function removeCpuManagerState({ root, spec, logger }: KubeletState): Promise<void> {
  const path = `${root}${kubernetesPaths.kubeletData}/cpu_manager_state`;
  const contents = await readOptional(path);
  if (contents === undefined) return;
  const state: unknown = JSON.parse(contents.toString());
  const before = policyName(isRecord(state) ? state["policyName"] : undefined);
  const after = policyName(spec.config["cpuManagerPolicy"]);
  if (before === after) return;
  logger.info("cpuManagerPolicy changed", { old: before, new: after });
  await rm(path, { force: true });
}

function policyName(value: unknown): string {
  return typeof value === "string" && value !== "" ? value : "none";
}
