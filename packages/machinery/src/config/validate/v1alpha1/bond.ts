import { bondWords } from "../../documents/shared/bond-words.ts";
import type { Path } from "../../load/problem.ts";
import type { Check } from "../check.ts";
import type { Device } from "./network.ts";

type Bond = NonNullable<Device["bond"]>;

const balancing = new Set(["802.3ad", "balance-alb", "balance-tlb"]);

/** Options that are words, and what to say of a wrong one; an absent option takes the first word. */
const wordOptions = [
  ["xmitHashPolicy", "invalid xmit hash policy"],
  ["lacpRate", "invalid lacp rate"],
  ["arpValidate", "invalid arp_validate mode"],
  ["arpAllTargets", "invalid arp_all_targets mode"],
  ["primaryReselect", "invalid primary_reselect mode"],
  ["failOverMac", "invalid fail_over_mac value"],
  ["adSelect", "invalid ad_select mode"],
] as const satisfies readonly (readonly [keyof Bond, string])[];

const modes: ReadonlySet<string> = new Set(bondWords.mode);

/** Returns what may not be set, as rows of (broken when, message). */
function rules(bond: Bond, mode: string): readonly (readonly [boolean, string])[] {
  const { miimon = 0, updelay = 0, downdelay = 0 } = bond;
  const primaryModes = ["active-backup", "balance-alb", "balance-tlb"];
  const set = (value: number | undefined): boolean => (value ?? 0) > 0;
  return [
    [miimon === 0 && updelay !== 0, "bond.upDelay can't be set if miiMon is zero"],
    [miimon === 0 && downdelay !== 0, "bond.downDelay can't be set if miiMon is zero"],
    [miimon !== 0 && updelay % miimon !== 0, "bond.upDelay should be a multiple of miiMon"],
    [miimon !== 0 && downdelay % miimon !== 0, "bond.downDelay should be a multiple of miiMon"],
    [(bond.arpIPTarget ?? []).length > 0, "bond.arpIPTarget is not supported"],
    [bond.lacpRate !== undefined && mode !== "802.3ad", "bond.lacpRate is only available in 802.3ad mode"],
    [bond.adActorSystem !== undefined, "bond.adActorSystem is not supported"],
    [balancing.has(mode) && bond.arpValidate !== undefined, `bond.arpValidate is not available in ${mode} mode`],
    [!primaryModes.includes(mode) && bond.primary !== undefined, `bond.primary is not available in ${mode} mode`],
    [balancing.has(mode) && set(bond.arpInterval), `bond.arpInterval is not available in ${mode} mode`],
    [mode !== "balance-rr" && (bond.packetsPerSlave ?? 0) > 1, `bond.packetsPerSlave is not available in ${mode} mode`],
    [
      mode !== "balance-alb" && mode !== "balance-tlb" && set(bond.tlbDynamicLb),
      `bond.tlbDynamicTLB is not available in ${mode} mode`,
    ],
    [mode !== "802.3ad" && set(bond.adActorSysPrio), "bond.adActorSysPrio is only available in 802.3ad mode"],
    [mode !== "802.3ad" && set(bond.adUserPortKey), "bond.adUserPortKey is only available in 802.3ad mode"],
  ];
}

export function validateBond(path: Path, bond: Bond, check: Check): void {
  const mode = bond.mode ?? "balance-rr";
  if (!modes.has(mode)) check.error([...path, "mode"], `invalid bond type ${mode}`);
  for (const [field, message] of wordOptions) {
    const value = bond[field];
    const allowed: readonly string[] = bondWords[field];
    if (typeof value === "string" && !allowed.includes(value)) check.error([...path, field], `${message} ${value}`);
  }
  for (const [broken, message] of rules(bond, modes.has(mode) ? mode : "balance-rr")) {
    if (broken) check.error(path, message);
  }
}
