import type { EtcdClusterDowngrade } from "@talos-ts/proto/machine/etcd";
import type { Invocation } from "../../command.ts";
import { printRecords, type Column } from "../../output/records.ts";

/** Describes what a node answered to a step of a downgrade. */
export interface DowngradeAnswer {
  readonly node: string;
  readonly clusterDowngrade?: EtcdClusterDowngrade | undefined;
}

interface Row {
  readonly node: string;
  readonly message: string;
}

const columns: readonly Column<Row>[] = [
  ["NODE", ({ node }) => node],
  ["MESSAGE", ({ message }) => message],
];

export async function printDowngrade(
  invocation: Invocation,
  step: string,
  answers: readonly DowngradeAnswer[],
): Promise<void> {
  const rows = answers.map(({ node, clusterDowngrade }): Row => {
    const version = clusterDowngrade?.clusterVersion ?? "";
    return { node, message: `downgrade ${step} success, cluster version ${version}` };
  });
  await printRecords(invocation, columns, rows);
}
