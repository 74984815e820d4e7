/** Letters of the type and of the special bits, from the highest bit of the mode down. */
const letters = Array.from("dalTLDpSugct?");
const permissions = Array.from("rwxrwxrwx");

/** A mode as Go's `os.FileMode` has and prints it, which is not that of the kernel: `drwxr-xr-x`, `Lrwxrwxrwx`. */
export function formatFileMode(mode: number): string {
  const has = (bit: number): boolean => (mode >>> bit) % 2 === 1;
  const kind = letters.filter((_, index) => has(31 - index)).join("");
  const rights = permissions.map((letter, index) => (has(8 - index) ? letter : "-")).join("");
  return (kind === "" ? "-" : kind) + rights;
}
