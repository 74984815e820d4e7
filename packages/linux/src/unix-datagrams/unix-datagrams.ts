/** Settings of `UnixDatagrams.listen`. */
export interface UnixDatagramOptions {
  /** Path of the socket; one that is left over is replaced. At most 107 bytes. */
  readonly path: string;
  /** Permissions of the socket. */
  readonly mode: number;
  /** Called with every datagram, at most its first 64 KiB. */
  readonly onMessage: (message: Buffer) => void;
}

/** Sockets of the kind of `/dev/log` (unix(7), SOCK_DGRAM), which node:dgram lacks. Errors have codes `unix/<errno>`. */
export interface UnixDatagrams {
  /** Receives datagrams until the result is disposed of, which also removes the socket. */
  listen(options: UnixDatagramOptions): Promise<AsyncDisposable>;
  /** Sends one datagram to a socket. */
  send(path: string, message: Buffer): Promise<void>;
}
