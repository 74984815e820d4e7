import { parseArgs } from "node:util";
import { describeError, logLine, OsError } from "@talos-ts/base";
import { certificateFiles } from "../certificate-files.ts";
import { runDiscoveryService } from "../discovery-service.ts";

const usage = `Usage: discovery-service --listen <host:port> [--certificate <file> --key <file>]

Lets the members of a cluster find each other. They send ciphertext; the service knows ids, sizes, addresses of callers and
times, and keeps everything in memory for half an hour at most.

  --listen host:port           where to listen; ":3000" is every address, port 0 picks a free one
  --certificate file           certificate (PEM), own one first; read again when the file changes
  --key file                   its key (PEM)
  --behind-proxy               take the caller's address from X-Real-IP or X-Forwarded-For
  --redirect host:port         send all clients to another service
  --help                       this text

Without a certificate the connection is not encrypted, and nodes need an endpoint with http:
  cluster: {discovery: {registries: {service: {endpoint: "http://host:port/"}}}}

Stops on SIGINT and SIGTERM.
`;

function parseListen(text: string): { host: string; port: number } {
  const [, v6, host, port] = /^(?:\[([\da-fA-F:.]+)\]|([^:[\]]*)):(\d{1,5})$/.exec(text) ?? [];
  if (port !== undefined && Number(port) <= 0xffff) return { host: v6 ?? host ?? "", port: Number(port) };
  throw new OsError({
    kind: "invalid-argument",
    code: "discovery/bad-address",
    message: `Cannot listen on "${text}": expected "host:port", "[ipv6]:port" or ":port"`,
    next: "discovery-service --help",
  });
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      listen: { type: "string" },
      certificate: { type: "string" },
      key: { type: "string" },
      "behind-proxy": { type: "boolean" },
      redirect: { type: "string" },
      help: { type: "boolean" },
    },
  });
  const { listen, certificate, key, redirect, help } = values;
  if (help === true || listen === undefined) {
    process.stdout.write(usage);
    process.exitCode = help === true ? 0 : 2;
    return;
  }
  if ((certificate === undefined) !== (key === undefined)) {
    throw new OsError({
      kind: "invalid-argument",
      code: "discovery/half-certificate",
      message: "Cannot serve TLS: --certificate and --key go together, and one of them is missing",
      next: "discovery-service --help",
    });
  }
  const stop = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => stop.abort());
  const log = (line: string): void => console.log(logLine(line, new Date()));
  await runDiscoveryService({
    listen: parseListen(listen),
    behindProxy: values["behind-proxy"] === true,
    ...(redirect !== undefined && { redirect }),
    ...(certificate !== undefined &&
      key !== undefined && {
        tls: {
          material: certificateFiles(certificate, key),
          minVersion: "TLSv1.2",
          onError: (err) => log(`new certificates cannot be used: ${err.message}`),
        },
      }),
    log,
    signal: stop.signal,
  });
}

try {
  await main();
} catch (err) {
  const { next } = OsError.from(err);
  process.stderr.write(`discovery-service: ${describeError(err)}${next === undefined ? "" : `\nTry: ${next}`}\n`);
  process.exitCode = 1;
}
