import { connect as netConnect, type Socket } from "node:net";
import { Duplex } from "node:stream";
import { connect as tlsConnect } from "node:tls";
import { hostPort } from "@talos-ts/base";

/** Longest answer of a proxy before the tunnel stands, in bytes. */
const maxHeadBytes = 16 * 1024;

/**
 * Opens a connection through an HTTP proxy (CONNECT, RFC 9110 section 9.3.6). What is written before the tunnel stands waits for it.
 *
 * Fails with an error whose `code` is `EPROXY` when the proxy refuses, and with that of the system when the proxy cannot be reached.
 *
 * @param proxy `http://` or `https://`; a user and password in it are sent as Basic credentials.
 */
export function openTunnel(proxy: URL, host: string, port: number): Duplex {
  const raw = dialProxy(proxy);
  const target = hostPort(host, port);
  let open = false;
  let waiting: (() => void) | undefined;
  let head = Buffer.alloc(0);
  const tunnel = new Duplex({
    allowHalfOpen: true,
    read: () => void raw.resume(),
    write(chunk: Buffer, _encoding, done) {
      const write = (): void => void raw.write(chunk, done);
      if (open) write();
      else waiting = write;
    },
    final(done) {
      const end = (): void => void raw.end(done);
      if (open) end();
      else waiting = end;
    },
    destroy(err, done) {
      raw.destroy();
      done(err);
    },
  });
  const stand = (): void => {
    open = true;
    tunnel.emit("connect");
    waiting?.();
    waiting = undefined;
  };
  raw.once(proxy.protocol === "https:" ? "secureConnect" : "connect", () => raw.write(connectRequest(proxy, target)));
  raw.on("data", (chunk: Buffer) => {
    if (open) {
      if (!tunnel.push(chunk)) raw.pause();
      return;
    }
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf("\r\n\r\n");
    if (end < 0 && head.length <= maxHeadBytes) return;
    const refusal = refusalOf(head, end);
    if (refusal !== undefined) {
      tunnel.destroy(refused(proxy, target, refusal));
      return;
    }
    stand();
    const rest = head.subarray(end + 4);
    if (rest.length > 0) tunnel.push(rest);
  });
  raw.once("end", () => {
    if (open) tunnel.push(null);
    else tunnel.destroy(refused(proxy, target, "it closed the connection"));
  });
  raw.once("error", (err) => tunnel.destroy(open ? err : unreachable(proxy, err)));
  raw.once("close", () => tunnel.destroy());
  return tunnel;
}

/** The reason for which an answer is no consent; `undefined` when it is one. */
function refusalOf(head: Buffer, end: number): string | undefined {
  const [, code, text] = /^HTTP\/1\.[01] (\d{3})([^\r\n]*)/.exec(head.toString("latin1", 0, 512)) ?? [];
  if (end < 0 || code === undefined) return "it does not speak HTTP";
  return code.startsWith("2") ? undefined : `${code}${text ?? ""}`.trim();
}

function dialProxy(proxy: URL): Socket {
  const host = proxy.hostname.replace(/^\[(.*)\]$/, "$1");
  const common = { host, noDelay: true };
  if (proxy.protocol === "https:") {
    return tlsConnect({ ...common, port: Number(proxy.port || 443), servername: host, ALPNProtocols: ["http/1.1"] });
  }
  return netConnect({ ...common, port: Number(proxy.port || 80) });
}

function connectRequest(proxy: URL, target: string): string {
  const lines = [`CONNECT ${target} HTTP/1.1`, `Host: ${target}`];
  if (proxy.username !== "") {
    const pair = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
    lines.push(`Proxy-Authorization: Basic ${Buffer.from(pair).toString("base64")}`);
  }
  return `${lines.join("\r\n")}\r\n\r\n`;
}

/** The name of a proxy without its credentials. */
function nameOf(proxy: URL): string {
  return `${proxy.protocol}//${proxy.host}`;
}

function refused(proxy: URL, target: string, answer: string): Error {
  return Object.assign(new Error(`the proxy ${nameOf(proxy)} refused to connect to ${target}: ${answer}`), {
    code: "EPROXY",
  });
}

function unreachable(proxy: URL, cause: NodeJS.ErrnoException): Error {
  return Object.assign(new Error(`the proxy ${nameOf(proxy)} cannot be reached: ${cause.message}`, { cause }), {
    code: "EPROXY",
  });
}
