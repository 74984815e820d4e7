/**
 * Ends the process with one sentence when it does not run as root.
 *
 * @param subject What needs root, as the first words of the sentence.
 */
export function requireRoot(subject: string): void {
  if (process.getuid?.() === 0) return;
  const task = process.env["npm_lifecycle_event"] ?? "up";
  const command = task === "test" ? "npm test" : `npm run ${task}`;
  console.error(`${subject} need root (containers, bridges, mounts): run sudo env "PATH=$PATH" ${command}`);
  process.exit(1);
}
