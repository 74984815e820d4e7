import type { Socket } from "node:net";
import type { TestContext } from "node:test";
import type { Linux } from "../linux.ts";

/** An implementation under test, with what the suite needs to stage a scene around it. */
export interface ConformanceSubject extends AsyncDisposable {
  readonly linux: Linux;
  /** Makes an empty folder that mounts can use and gives its path. */
  makeFolder(): Promise<string>;
  /** Makes an orphan of this process that ends with the code once `release` is called; gives its pid. */
  makeOrphan(exitCode: number): Promise<{ readonly pid: number; release(): Promise<void> }>;
  /** Starts a process that lives until it is killed. */
  makeProcess(): Promise<{ readonly pid: number } & AsyncDisposable>;
  /** Plugs a disk of zeros in; `undefined` where that is not possible. Disposing unplugs it. */
  makeDisk(sizeBytes: number): Promise<({ readonly path: string } & AsyncDisposable) | undefined>;
  /** A connected unix socket whose peer is this process. */
  makeSocket(): Promise<{ readonly socket: Socket } & AsyncDisposable>;
  /** A namespace command that prints its host name. */
  readonly printHostname: { readonly command: string; readonly arguments?: readonly string[] };
}

/** Creates a fresh kernel for one conformance criterion. */
export type MakeSubject = () => Promise<ConformanceSubject>;

/** A criterion an implementation must meet; the context lets it skip with a reason. */
export type Criterion = (subject: ConformanceSubject, context: TestContext) => Promise<void>;

/** Criteria by their sentences, by the interface they are about. */
export type ConformanceSuites = Readonly<Record<string, Readonly<Record<string, Criterion>>>>;
