import { request } from "node:https";
import type { KubeletSecretSpec } from "@talos-ts/machinery/resources/secrets";

/** Reports whether the API server lets the bearer of the bootstrap token ask for a certificate; never rejects. */
export type BootstrapProbe = (secret: KubeletSecretSpec, signal: AbortSignal) => Promise<boolean>;

const timeoutMs = 5000;
const path = "/apis/certificates.k8s.io/v1/certificatesigningrequests?limit=1";

/** Lists certificate requests with the token: who may make them may list them. */
export const probeBootstrapToken: BootstrapProbe = (secret, signal) =>
  new Promise((resolve) => {
    const probe = request(new URL(path, secret.endpoint), {
      ca: secret.acceptedCAs.map(({ crt }) => crt),
      headers: { authorization: `Bearer ${secret.bootstrapTokenID}.${secret.bootstrapTokenSecret}` },
      agent: false,
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    });
    probe.once("error", () => resolve(false));
    probe.once("response", (response) => {
      response.resume();
      response.once("error", () => resolve(false));
      response.once("end", () => resolve(response.statusCode === 200));
    });
    probe.end();
  });
