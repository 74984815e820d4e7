/**
 * The small text files of /proc and /sys.
 *
 * Every reader of this package goes through it, so that the in-memory system serves the same parsers from memory.
 */
export interface TextFiles {
  /** @throws OsError `file/<errno>` */
  read(path: string): Promise<string>;
  /** Overwrites a file that exists. @throws OsError `file/<errno>` */
  write(path: string, text: string): Promise<void>;
  /** Names in a folder. @throws OsError `file/<errno>` */
  list(path: string): Promise<readonly string[]>;
  /** Reads the target of a link. @throws OsError `file/<errno>` */
  readLink(path: string): Promise<string>;
}
