/** Describes how registries are reached. Keys are hosts with optional port, as they stand in references; `*` is every other one. */
export interface RegistrySettings {
  readonly mirrors: Readonly<Record<string, RegistryMirror>>;
  readonly auths: Readonly<Record<string, RegistryCredentials>>;
  readonly tls: Readonly<Record<string, RegistryTls>>;
}

export interface RegistryMirror {
  /** Asked in this order. */
  readonly endpoints: readonly { readonly endpoint: string; readonly overridePath: boolean }[];
  /** Do not ask the registry itself when no endpoint has the image. */
  readonly skipFallback: boolean;
}

/** A name and password, or `auth` (both in base64, joined by a colon), or a token to exchange for access. */
export interface RegistryCredentials {
  readonly username: string;
  readonly password: string;
  readonly auth: string;
  readonly identityToken: string;
}

export interface RegistryTls {
  readonly clientIdentity?: { readonly crt: Uint8Array | string; readonly key: Uint8Array | string } | undefined;
  /** Trusted CAs in PEM besides those of the system; empty for none. */
  readonly ca: Uint8Array;
  readonly insecureSkipVerify: boolean;
}

export const noRegistrySettings: RegistrySettings = { mirrors: {}, auths: {}, tls: {} };
