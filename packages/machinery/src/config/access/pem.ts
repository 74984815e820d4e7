/** The main document carries PEM in base64; this is the PEM, empty for an absent value. */
export function decodePem(value: string | undefined): string {
  return Buffer.from(value ?? "", "base64").toString("utf8");
}
