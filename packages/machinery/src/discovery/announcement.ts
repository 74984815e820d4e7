import { isDeepStrictEqual } from "node:util";
import type { AffiliateSpec } from "../resources/cluster/index.ts";
import { encodeAffiliate, encodeEndpoint } from "./affiliate-message.ts";
import type { Seal } from "./seal.ts";

/** Describes where another affiliate was seen, `10.5.0.2:51820`. */
export interface SeenEndpoint {
  readonly affiliateId: string;
  readonly endpoint: string;
}

/** Describes what the service should have of this machine. */
export type Announced =
  | { readonly kind: "nothing" }
  | {
      readonly kind: "affiliate";
      readonly data: Uint8Array;
      readonly endpoints: readonly Uint8Array[];
      readonly seen: readonly { readonly affiliateId: string; readonly endpoints: readonly Uint8Array[] }[];
    }
  | { readonly kind: "withdrawn" };

export interface Announcement {
  readonly current: Announced;
  /** Resolves at the next change. */
  readonly changed: Promise<void>;
  set(affiliate: AffiliateSpec, seen: readonly SeenEndpoint[]): void;
  withdraw(): void;
}

/** Encrypts once per change and not once per refresh: the same bytes tell the service that nothing is new. */
export function createAnnouncement(seal: Seal): Announcement {
  let current: Announced = { kind: "nothing" };
  let source: unknown;
  let change = Promise.withResolvers<void>();

  function become(next: Announced, from: unknown): void {
    current = next;
    source = from;
    change.resolve();
    change = Promise.withResolvers();
  }

  const sealEndpoint = (endpoint: string): Uint8Array => seal.sealEndpoint(encodeEndpoint(endpoint));

  return {
    get current() {
      return current;
    },
    get changed() {
      return change.promise;
    },
    set(affiliate, seen) {
      const from = { affiliate, seen };
      if (isDeepStrictEqual(source, from)) return;
      const { publicKey, endpoints } = affiliate.kubespan;
      const byAffiliate = Map.groupBy(seen, ({ affiliateId }) => affiliateId);
      become(
        {
          kind: "affiliate",
          data: seal.seal(encodeAffiliate(affiliate)),
          endpoints: publicKey === "" ? [] : endpoints.map(sealEndpoint),
          seen: [...byAffiliate].map(([affiliateId, all]) => ({
            affiliateId,
            endpoints: all.map(({ endpoint }) => sealEndpoint(endpoint)),
          })),
        },
        from,
      );
    },
    withdraw() {
      if (current.kind !== "withdrawn") become({ kind: "withdrawn" }, undefined);
    },
  };
}
