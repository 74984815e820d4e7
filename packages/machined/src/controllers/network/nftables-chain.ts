import { describeError, OsError } from "@talos-ts/base";
import { kindOf, shared, weak, type Controller, type ControllerContext } from "@talos-ts/cosi";
import { hasErrno, type Linux } from "@talos-ts/linux";
import { NetworkProblem, NfTablesChain } from "@talos-ts/machinery/resources/network";
import { nftScript } from "./internal/nft-script.ts";

const retryMs = 10_000;

/**
 * Puts chains in the kernel with nft(8), which is part of the image. One script replaces our table in one transaction, so that
 * there is no moment without a firewall, and a script that is refused changes nothing.
 */
export function nfTablesChainController(machine: { readonly linux: Linux }): Controller {
  /** The script that was run last; what a former life of the machine left behind is not known. */
  let applied: string | undefined;

  async function apply(context: ControllerContext): Promise<void> {
    const chains = (await context.list(NfTablesChain)).filter(({ metadata }) => metadata.phase === "running");
    const script = nftScript(chains);
    if (script === applied) return;
    try {
      await run(machine.linux, script, context.signal);
    } catch (err) {
      // Without the program there is no table of ours to take away.
      if (chains.length > 0 || !hasErrno(err, "ENOENT")) throw err;
    }
    applied = script;
    if (chains.length > 0) {
      context.logger.info("nftables chains updated", { chains: chains.map(({ metadata }) => metadata.id).join(", ") });
    }
  }

  return {
    name: "network.NfTablesChainController",
    inputs: [weak(NfTablesChain)],
    outputs: [shared(NetworkProblem)],
    async run(context) {
      for await (const _event of context.events) {
        context.startTrackingOutputs();
        try {
          await apply(context);
        } catch (err) {
          const reason = describeError(err);
          const problem = { subject: "ingress firewall", reason, next: "talosctl get chains -o yaml" };
          const known = await context.find(NetworkProblem, "firewall/ingress");
          if (known?.spec.reason !== reason) context.logger.warn("cannot apply the ingress firewall", problem);
          await context.modify(NetworkProblem, "firewall/ingress", () => problem);
          context.queueReconcile(retryMs);
        }
        await context.cleanupOutputs(kindOf(NetworkProblem));
        context.resetRestartBackoff();
      }
    },
  };
}

async function run(linux: Linux, script: string, signal: AbortSignal): Promise<void> {
  const result = await linux.namespaces.run({ command: "nft", arguments: ["-f", "-"], input: script, signal });
  if (result.exitCode === 0) return;
  const [line = "no reason"] = result.stderr.trim().split("\n");
  throw new OsError({
    kind: "internal",
    code: "network/nft-failed",
    message: `Cannot load the ingress firewall with nft: exit code ${String(result.exitCode)}: ${line}`,
    details: { stderr: result.stderr, script },
    next: "talosctl get chains -o yaml",
  });
}
