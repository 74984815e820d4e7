import { request } from "node:https";
import type { KubeletSecretSpec } from "@talos-ts/machinery/resources/secrets";
import { answersOk } from "./answers-ok.ts";

/** Reports whether the API server lets the bearer of the bootstrap token ask for a certificate; never rejects. */
export type BootstrapProbe = (secret: KubeletSecretSpec, signal: AbortSignal) => Promise<boolean>;

const timeoutMs = 5000;
const path = "/apis/certificates.k8s.io/v1/certificatesigningrequests?limit=1";

/** Lists certificate requests with the token: who may make them may list them. */
export const probeBootstrapToken: BootstrapProbe = async (secret, signal) =>
  answersOk(
    request(new URL(path, secret.endpoint), {
      ca: secret.acceptedCAs.map(({ crt }) => crt),
      headers: { authorization: `Bearer ${secret.bootstrapTokenID}.${secret.bootstrapTokenSecret}` },
      agent: false,
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    }),
  );
