import { resolve } from "node:path";

/**
 * Folder with the Go modules of ours that pin what images are built from, and the programs in them.
 *
 * Named from the folder of packages, as the bundled command line lies in another one than this file.
 */
export const goSources = resolve(import.meta.dirname, "../../imager/go");
