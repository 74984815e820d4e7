/** `10.5.0.2:50001`, `[fd00::1]:50001`, `a.example:50001`. */
export function hostPort(host: string, port: number): string {
  return `${host.includes(":") ? `[${host}]` : host}:${String(port)}`;
}
