import { describeError } from "@talos-ts/base";
import type { Reader } from "@talos-ts/cosi";
import { LinkStatus } from "@talos-ts/machinery/resources/network";
import { KernelCmdline } from "@talos-ts/machinery/resources/runtime";
import { parseIpArgument, type IpArgument } from "../../../command-line/ip-argument.ts";
import { parseKernelArguments } from "../../../command-line/kernel-arguments.ts";
import { isPhysical } from "../link-status.ts";

/** An address of the command line, on a link that is known by name. */
export interface LinkAddress extends IpArgument {
  readonly link: string;
}

/**
 * Reads the `ip=` arguments of the kernel's command line. One that names no link is for the first network card, and is left
 * out while there is none.
 */
export async function ipArguments(
  context: Reader,
): Promise<{ readonly addresses: readonly LinkAddress[]; readonly problems: readonly string[] }> {
  const cmdline = (await context.find(KernelCmdline, KernelCmdline.id))?.spec.cmdline ?? "";
  const cards = (await context.list(LinkStatus))
    .filter(({ spec }) => isPhysical(spec))
    .toSorted((a, b) => a.spec.index - b.spec.index);
  const problems: string[] = [];
  const addresses = parseKernelArguments(cmdline)
    .all("ip")
    .flatMap((value): readonly LinkAddress[] => {
      try {
        const found = parseIpArgument(value);
        const link = found === undefined || found.link !== "" ? found?.link : cards[0]?.metadata.id;
        return found === undefined || link === undefined ? [] : [{ ...found, link }];
      } catch (err) {
        problems.push(describeError(err));
        return [];
      }
    });
  return { addresses, problems };
}
