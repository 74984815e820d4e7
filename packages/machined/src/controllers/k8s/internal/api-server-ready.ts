import { request } from "node:https";
import type { CertificateAndKey } from "@talos-ts/machinery/resources/values";
import { answersOk } from "./answers-ok.ts";

export interface LocalApiServer {
  readonly port: number;
  /** Certificate of a client that may read the health of the API server, and the authority of both. */
  readonly client: CertificateAndKey;
  readonly ca: string;
}

/** Reports whether an API server on this machine is ready to serve; never rejects. */
export type ApiServerProbe = (server: LocalApiServer, signal: AbortSignal) => Promise<boolean>;

const timeoutMs = 5000;

/** Asks `/readyz` with credentials: unlike a refusal to answer, its answer says that the roles of Kubernetes exist. */
export const probeLocalApiServer: ApiServerProbe = async ({ port, client, ca }, signal) =>
  answersOk(
    request({
      host: "127.0.0.1",
      port,
      path: "/readyz",
      servername: "localhost",
      cert: client.crt,
      key: client.key,
      ca,
      agent: false,
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    }),
  );
