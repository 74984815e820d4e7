import { issuePair, systemEntropy, type Entropy, type LeafInit, type PemPair } from "@talos-ts/crypto";
import { leaves, type LeafInput, type LeafName, type LeafRow } from "./leaves.ts";

/** Time and lifetime of a certificate to issue. */
export interface IssueOptions {
  readonly now: Date;
  /** @default the lifetime of the table */
  readonly lifetimeMs?: number;
  /** @default {systemEntropy} */
  readonly entropy?: Entropy;
}

/** Returns what the certificate of this kind would say; for tests, and for requests signed by somebody else. */
export function describeLeaf<N extends LeafName>(
  name: N,
  input: LeafInput<N>,
  { now, lifetimeMs }: Pick<IssueOptions, "now" | "lifetimeMs">,
): LeafInit {
  const row = leaves[name] as LeafRow<LeafInput<N>>;
  return {
    subject: row.subject(input),
    ...row.sans(input),
    keyUsages: row.keyUsages,
    extKeyUsages: row.extKeyUsages,
    notBefore: new Date(now.getTime() - (row.backdateMs ?? 0)),
    notAfter: new Date(now.getTime() + (lifetimeMs ?? row.lifetimeMs)),
  };
}

/**
 * Issues a certificate of the table with a fresh key of the CA's type.
 *
 * @param authority The CA named in the row's `root`, with its key.
 */
export function issueLeaf<N extends LeafName>(
  name: N,
  authority: PemPair,
  input: LeafInput<N>,
  options: IssueOptions,
): Promise<PemPair> {
  return issuePair(authority, describeLeaf(name, input, options), options.entropy ?? systemEntropy);
}
