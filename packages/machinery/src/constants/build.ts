/** Describes where the running code comes from. */
export interface BuildInfo {
  /** Commit, eight hexadecimal digits, with `-dirty` when files were changed since; empty when it is not known. */
  readonly sha: string;
  /** Time of the commit in UTC (RFC 3339), so that the same sources give the same bytes; empty when it is not known. */
  readonly built: string;
  /** Version under which an image was made. @default the release whose API is spoken */
  readonly version?: string;
}

/**
 * Facts of the build; empty when the sources run without a bundle or were bundled outside a git checkout.
 *
 * Bundlers of this repository replace the global by a literal.
 */
export const buildInfo: BuildInfo = (globalThis as { readonly TALOS_TS_BUILD?: BuildInfo }).TALOS_TS_BUILD ?? {
  sha: "",
  built: "",
};
