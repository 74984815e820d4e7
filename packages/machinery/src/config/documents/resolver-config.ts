import type { MainConfig } from "./v1alpha1/config.ts";
import { document } from "../schema/document.ts";
import { address } from "../schema/formats.ts";
import { boolean, string } from "../schema/scalars.ts";
import { property, array, object } from "../schema/type.ts";

const nameserver = object("network.NameserverConfig", "A DNS server.", {
  address: property(address, "Address of the server.", { always: true, example: "10.0.0.1" }),
});

const searchDomains = object("network.SearchDomainsConfig", "Domains names are completed with.", {
  domains: property(array(string()), "The domains, tried in order.", { example: ["example.com"] }),
  disableDefault: property(boolean, "Keeps the domain of the host out of the list."),
});

export const resolverConfig = document({
  kind: "ResolverConfig",
  schemaName: "network.ResolverConfigV1Alpha1",
  doc: "DNS servers and search domains of the machine.",
  fields: {
    nameservers: property(array(nameserver), "DNS servers, instead of those learnt by DHCP."),
    searchDomains: property(searchDomains, "Search domains.", { inlineStruct: true }),
  },
  validate: (_resolver, check) => {
    const conflict = check.main === undefined ? undefined : legacyConflict(check.main);
    if (conflict !== undefined) check.conflict([], `.machine.network.${conflict} is already set in v1alpha1 config`);
  },
});

function legacyConflict({ machine }: MainConfig): string | undefined {
  const { searchDomains: domains = [], nameservers = [], disableSearchDomain } = machine?.network ?? {};
  if (domains.length > 0) return "searchDomains";
  if (nameservers.length > 0) return "nameservers";
  return disableSearchDomain === true ? "disableSearchDomain" : undefined;
}
