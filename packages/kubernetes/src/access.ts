/** Describes where the API server is and how to authenticate to it. */
export interface KubernetesAccess {
  /** `https://host:port`, optionally with a path prefix. */
  readonly server: string;
  /** PEM of the trusted CAs. Default: the CAs of Node.js. */
  readonly ca?: string;
  /** PEM of the client certificate and of its key. */
  readonly cert?: string;
  readonly key?: string;
  /** Bearer token, used when there is no client certificate. */
  readonly token?: string;
  /** Name that the server certificate must have. Default: the host of `server`. */
  readonly serverName?: string;
  /** Skip the verification of the server certificate. Default false. */
  readonly insecure?: boolean;
}
