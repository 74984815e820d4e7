import { isRecord, OsError } from "@talos-ts/base";
import { readBody } from "./body.ts";
import { parseChallenge, type Challenge } from "./challenge.ts";
import type { HttpClient } from "./http.ts";
import type { RegistryCredentials } from "./settings.ts";

/** Answers the demands of one registry for credentials. */
export interface Authorizer {
  /** The `Authorization` header for a repository as far as it is known. */
  header(repository: string): string | undefined;
  /** Learns from a refused request; `false` when there is nothing more to offer. */
  answer(challenge: string | undefined, repository: string, signal?: AbortSignal): Promise<boolean>;
}

const maxTokenBytes = 1024 * 1024;

export function createAuthorizer(http: HttpClient, credentials: RegistryCredentials | undefined): Authorizer {
  const headers = new Map<string, string>();
  const login = credentials === undefined ? undefined : loginOf(credentials);

  async function token(challenge: Extract<Challenge, { scheme: "bearer" }>, repository: string, signal?: AbortSignal) {
    const scope = challenge.scope === "" ? `repository:${repository}:pull` : challenge.scope;
    const identityToken = credentials?.identityToken ?? "";
    const fields = { service: challenge.service, scope };
    const response =
      identityToken === ""
        ? await http.send(
            `${challenge.realm}${challenge.realm.includes("?") ? "&" : "?"}${new URLSearchParams(fields).toString()}`,
            {
              headers: login === undefined ? {} : { authorization: `Basic ${login}` },
              signal,
            },
          )
        : await http.send(challenge.realm, {
            method: "POST",
            headers: { "content-type": "application/x-www-form-urlencoded" },
            body: new URLSearchParams({
              ...fields,
              grant_type: "refresh_token",
              refresh_token: identityToken,
              client_id: "talos-ts",
            }).toString(),
            signal,
          });
    const body = await readBody(response, maxTokenBytes);
    if (response.statusCode !== 200) throw refused(challenge.realm, response.statusCode ?? 0);
    return tokenIn(body, challenge.realm);
  }

  return {
    header: (repository) => headers.get(repository),
    async answer(text, repository, signal) {
      const challenge = parseChallenge(text);
      if (challenge === undefined) return false;
      const before = headers.get(repository);
      if (challenge.scheme === "basic") {
        if (login === undefined) return false;
        headers.set(repository, `Basic ${login}`);
      } else {
        headers.set(repository, `Bearer ${await token(challenge, repository, signal)}`);
      }
      return headers.get(repository) !== before;
    },
  };
}

/** Name and password as they are sent. */
function loginOf({ username, password, auth }: RegistryCredentials): string | undefined {
  if (auth !== "") return auth;
  return username === "" && password === "" ? undefined : Buffer.from(`${username}:${password}`).toString("base64");
}

function tokenIn(body: Uint8Array, realm: string): string {
  let answer: unknown;
  try {
    answer = JSON.parse(Buffer.from(body).toString("utf8"));
  } catch {
    answer = undefined;
  }
  const { token, access_token: access } = isRecord(answer) ? answer : {};
  const found = typeof token === "string" && token !== "" ? token : access;
  if (typeof found === "string" && found !== "") return found;
  throw new OsError({
    kind: "unauthenticated",
    code: "registry/no-token",
    message: `${realm} answered without a token`,
  });
}

function refused(realm: string, status: number): OsError {
  return new OsError({
    kind: "unauthenticated",
    code: "registry/token-refused",
    message: `failed to fetch a token from ${realm}: unexpected status ${String(status)}`,
    next: "check machine.registries.config.<host>.auth or the RegistryAuthConfig document",
  });
}
