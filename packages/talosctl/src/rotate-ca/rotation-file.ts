import { readFile, rm } from "node:fs/promises";
import { isRecord, OsError } from "@talos-ts/base";
import type { PemPair } from "@talos-ts/crypto";
import { writeDurably } from "@talos-ts/host";

/** The former authority and its successor, PEM. */
export interface AuthorityRotation {
  readonly former: string;
  readonly successor: PemPair;
}

/** Rotations that were begun and are not finished, by what they are of. */
export type Rotations = Readonly<Partial<Record<"talos" | "kubernetes", AuthorityRotation>>>;

/**
 * Keeps new authorities from before the first node hears of them until the last one has forgotten the former, so that a rotation
 * that is interrupted can be continued. It has private keys, and is for its owner alone.
 */
export interface RotationFile {
  readonly path: string;
  read(): Promise<Rotations>;
  /** Replaces one rotation, or removes it; a file without any is removed. */
  write(what: keyof Rotations, rotation: AuthorityRotation | undefined): Promise<void>;
}

/** Opens the file of rotations at a path; it need not exist. */
export function rotationFile(path: string): RotationFile {
  const read = async (): Promise<Rotations> => {
    try {
      return checked(JSON.parse(await readFile(path, "utf8")), path);
    } catch (err) {
      if ((err as NodeJS.ErrnoException).code === "ENOENT") return {};
      throw err instanceof OsError ? err : unreadable(path, err);
    }
  };
  return {
    path,
    read,
    async write(what, rotation) {
      const rest = Object.entries({ ...(await read()), [what]: rotation }).filter(([, value]) => value !== undefined);
      if (rest.length === 0) await rm(path, { force: true });
      else await writeDurably(path, `${JSON.stringify(Object.fromEntries(rest), undefined, 2)}\n`, 0o600);
    },
  };
}

function checked(value: unknown, path: string): Rotations {
  const isRotation = (part: unknown): boolean =>
    part === undefined ||
    (isRecord(part) &&
      typeof part["former"] === "string" &&
      isRecord(part["successor"]) &&
      typeof part["successor"]["crt"] === "string" &&
      typeof part["successor"]["key"] === "string");
  if (isRecord(value) && isRotation(value["talos"]) && isRotation(value["kubernetes"])) return value;
  throw unreadable(path, undefined);
}

function unreadable(path: string, cause: unknown): OsError {
  return new OsError({
    kind: "data-loss",
    code: "rotate-ca/bad-file",
    message: `Cannot read the rotation that was begun from ${JSON.stringify(path)}: it is no such file`,
    next: `rm ${path}, to begin with new authorities`,
    cause,
  });
}
