import { createDeadlines, OsError, systemClock, type Clock } from "@talos-ts/base";
import type { RequestObserver } from "@talos-ts/grpc";
import {
  forwarderFactor,
  maxCallsPerCaller,
  maxRequestBytesPerCaller,
  type RequestBounds,
} from "@talos-ts/machinery/constants";

export interface CallerAccountsOptions {
  /** Open calls of one caller. @default {128} */
  readonly maxCalls?: number;
  /** Bytes of unfinished requests of one caller. @default {8_388_608} */
  readonly maxBytes?: number;
  /** @default {systemClock} */
  readonly clock?: Clock;
}

/** Describes who is charged for a call. */
export interface AccountHolder {
  /** Fingerprint of the certificate, or the address where there is none. */
  readonly key: string;
  /** Another node that forwards for callers it has counted itself. */
  readonly forwarder: boolean;
}

/** The place of one call in its caller's account; disposing gives back what the call used. */
export interface CallPlace extends Disposable {
  /** Charges the request as it arrives. */
  readonly observer: RequestObserver;
}

/** Describes what each caller has open, so that one cannot use up what all share. Disposing stops the watch over late requests. */
export interface CallerAccounts extends Disposable {
  /**
   * Opens a place for a call. `late` is called when the request is not complete in time.
   *
   * @throws {OsError} `apid/too-many-calls`; the observer throws `apid/too-many-bytes`.
   */
  open(holder: AccountHolder, bounds: RequestBounds, late: (error: OsError) => void): CallPlace;
  /** Callers with open calls. */
  readonly size: number;
}

interface Account {
  calls: number;
  bytes: number;
}

export function createCallerAccounts(options: CallerAccountsOptions = {}): CallerAccounts {
  const { maxCalls = maxCallsPerCaller, maxBytes = maxRequestBytesPerCaller, clock = systemClock } = options;
  const accounts = new Map<string, Account>();
  const deadlines = createDeadlines(clock);

  return {
    get size() {
      return accounts.size;
    },
    open({ key, forwarder }, bounds, late) {
      const factor = forwarder ? forwarderFactor : 1;
      const account = accounts.get(key) ?? { calls: 0, bytes: 0 };
      if (account.calls >= maxCalls * factor) throw tooManyCalls(maxCalls * factor);
      accounts.set(key, account);
      account.calls += 1;
      let charged = 0;
      const arrival = deadlines.start(bounds.requestTimeoutMs, () => late(tooLate(bounds)));
      const charge = (bytes: number): void => {
        const more = bounds.upload ? Math.max(0, bytes - charged) : bytes;
        if (account.bytes + more > maxBytes * factor) throw tooManyBytes(maxBytes * factor);
        account.bytes += more;
        charged += more;
      };
      return {
        observer: {
          message(bytes) {
            charge(bytes);
            if (bounds.upload) arrival.done();
          },
          end: () => arrival.done(),
        },
        [Symbol.dispose]() {
          arrival.done();
          account.calls -= 1;
          account.bytes -= charged;
          charged = 0;
          if (account.calls === 0) accounts.delete(key);
        },
      };
    },
    [Symbol.dispose]: () => deadlines[Symbol.dispose](),
  };
}

function tooManyCalls(limit: number): OsError {
  return new OsError({
    kind: "resource-exhausted",
    code: "apid/too-many-calls",
    message: `too many calls at once: this caller has ${String(limit)} open at this node already`,
    next: "end some of them, or use another client certificate: talosctl config new",
  });
}

function tooManyBytes(limit: number): OsError {
  return new OsError({
    kind: "resource-exhausted",
    code: "apid/too-many-bytes",
    message: `too many bytes at once: unfinished requests of this caller would have more than ${String(limit)} bytes`,
  });
}

function tooLate({ requestTimeoutMs, upload }: RequestBounds): OsError {
  const what = upload ? "the first message" : "the request";
  return new OsError({
    kind: "deadline-exceeded",
    code: "apid/request-timeout",
    message: `${what} did not arrive within ${String(requestTimeoutMs)} ms`,
  });
}
