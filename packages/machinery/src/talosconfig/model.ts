/** The client configuration file: how to reach and authenticate to clusters. Values are never changed in place. */
export interface TalosConfig {
  /** The name of the context used by default; empty when none was chosen. */
  readonly context: string;
  readonly contexts: ReadonlyMap<string, TalosContext>;
  /** Fields this version does not know, kept for the version that does. */
  readonly extra: ReadonlyMap<string, unknown>;
}

/** One cluster and one set of credentials. Empty text and empty lists mean "not set". */
export interface TalosContext {
  /** Addresses that the client connects to: control plane machines. */
  readonly endpoints: readonly string[];
  /** Target machines of calls, unless `--nodes` names others. */
  readonly nodes: readonly string[];
  /** Base64 of the PEM of the accepted CAs; also `crt` and `key`. */
  readonly ca: string;
  readonly crt: string;
  readonly key: string;
  readonly auth: TalosAuth;
  readonly cluster: string;
  readonly extra: ReadonlyMap<string, unknown>;
}

/** Ways to authenticate other than by certificate. */
export interface TalosAuth {
  readonly basic?: { readonly username: string; readonly password: string };
  readonly siderov1?: { readonly identity: string };
  readonly extra: ReadonlyMap<string, unknown>;
}

const none: ReadonlyMap<string, unknown> = new Map();

/** A talosconfig without contexts. */
export const emptyConfig: TalosConfig = { context: "", contexts: new Map(), extra: none };

/** A context without endpoints and credentials. */
export const emptyContext: TalosContext = {
  endpoints: [],
  nodes: [],
  ca: "",
  crt: "",
  key: "",
  auth: { extra: none },
  cluster: "",
  extra: none,
};
