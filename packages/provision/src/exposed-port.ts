import { OsError } from "@talos-ts/base";

/** A port of the host that leads to the first control plane node. */
export interface ExposedPort {
  readonly hostPort: number;
  readonly nodePort: number;
  readonly protocol: "tcp" | "udp";
}

/**
 * Reads `<host port>:<node port>[/<protocol>]`.
 *
 * @throws OsError `provision/bad-port`
 */
export function parseExposedPort(text: string): ExposedPort {
  const [, host, node, protocol = "tcp"] = /^(\d{1,5}):(\d{1,5})(?:\/(tcp|udp))?$/.exec(text) ?? [];
  const [hostPort, nodePort] = [Number(host), Number(node)];
  const valid = (port: number): boolean => port >= 1 && port <= 65_535;
  if (!valid(hostPort) || !valid(nodePort) || (protocol !== "tcp" && protocol !== "udp")) {
    throw new OsError({
      kind: "invalid-argument",
      code: "provision/bad-port",
      message: `Cannot expose "${text}": expected <host port>:<node port>/<tcp or udp>`,
      next: "talosctl cluster create --exposed-ports 8080:80/tcp",
    });
  }
  return { hostPort, nodePort, protocol };
}
