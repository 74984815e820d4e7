import type { Fault, FaultContext } from "../fault.ts";

/** Stops the process that `find` finds until the fault is over. */
async function freeze({ undo }: FaultContext, find: () => Promise<number>): Promise<void> {
  const pid = await find();
  undo.defer(async () => {
    // One that was replaced meanwhile has another number.
    if (pid === (await find().catch(() => 0))) process.kill(pid, "SIGCONT");
  });
  process.kill(pid, "SIGSTOP");
}

async function processOf({ cluster, node }: FaultContext, program: string): Promise<number> {
  const [found] = await cluster.processes(node, program);
  if (found === undefined) throw new Error(`${node.name} runs no ${program}`);
  return found.pid;
}

/** Processes that stand still: their connections stay open, and nothing answers. */
export const freezes: readonly Fault[] = [
  {
    name: "freeze-etcd",
    summary: "the leader of etcd stands still (SIGSTOP)",
    target: "leader",
    lastsMs: 8000,
    inject: (context) => freeze(context, () => processOf(context, "/usr/local/bin/etcd")),
  },
  {
    name: "freeze-apiserver",
    summary: "an API server stands still (SIGSTOP)",
    target: "any",
    lastsMs: 8000,
    inject: (context) => freeze(context, () => processOf(context, "/usr/local/bin/kube-apiserver")),
  },
  {
    name: "freeze-machined",
    summary: "machined of the leader's node stands still (SIGSTOP)",
    target: "leader",
    lastsMs: 8000,
    inject: (context) => freeze(context, () => context.cluster.init(context.node)),
  },
];
