import { createDeadlines, OsError, systemClock, type Clock, type Deadline } from "@talos-ts/base";
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
  readonly key: string;
  readonly maxCalls: number;
  readonly maxBytes: number;
  calls: number;
  bytes: number;
}

/** One call under way: a place in an account, and the observer of its request. */
class OpenCall implements CallPlace, RequestObserver {
  readonly #account: Account;
  readonly #upload: boolean;
  readonly #arrival: Deadline;
  readonly #close: (account: Account) => void;
  #charged = 0;
  #isOpen = true;

  constructor(account: Account, upload: boolean, arrival: Deadline, close: (account: Account) => void) {
    this.#account = account;
    this.#upload = upload;
    this.#arrival = arrival;
    this.#close = close;
  }

  get observer(): RequestObserver {
    return this;
  }

  message(bytes: number): void {
    const account = this.#account;
    const more = this.#upload ? Math.max(0, bytes - this.#charged) : bytes;
    if (account.bytes + more > account.maxBytes) throw tooManyBytes(account.maxBytes);
    account.bytes += more;
    this.#charged += more;
    if (this.#upload) this.#arrival.done();
  }

  end(): void {
    this.#arrival.done();
  }

  [Symbol.dispose](): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#arrival.done();
    this.#account.bytes -= this.#charged;
    this.#close(this.#account);
  }
}

export function createCallerAccounts(options: CallerAccountsOptions = {}): CallerAccounts {
  const { maxCalls = maxCallsPerCaller, maxBytes = maxRequestBytesPerCaller, clock = systemClock } = options;
  const accounts = new Map<string, Account>();
  const deadlines = createDeadlines(clock);

  function openAccount({ key, forwarder }: AccountHolder): Account {
    const factor = forwarder ? forwarderFactor : 1;
    const account = { key, maxCalls: maxCalls * factor, maxBytes: maxBytes * factor, calls: 0, bytes: 0 };
    accounts.set(key, account);
    return account;
  }

  function close(account: Account): void {
    account.calls -= 1;
    if (account.calls === 0) accounts.delete(account.key);
  }

  return {
    get size() {
      return accounts.size;
    },
    open(holder, bounds, late) {
      const account = accounts.get(holder.key) ?? openAccount(holder);
      if (account.calls >= account.maxCalls) throw tooManyCalls(account.maxCalls);
      account.calls += 1;
      const arrival = deadlines.start(bounds.requestTimeoutMs, () => late(tooLate(bounds)));
      return new OpenCall(account, bounds.upload, arrival, close);
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
