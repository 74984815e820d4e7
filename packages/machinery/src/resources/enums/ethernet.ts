import { enumOf, type ValueOf } from "../dsl/index.ts";

/** Connector of a port. */
export const port = enumOf("Port", {
  TwistedPair: 0,
  AUI: 1,
  MII: 2,
  Fibre: 3,
  BNC: 4,
  DirectAttach: 5,
  None: 239,
  Other: 255,
});

export type Port = ValueOf<typeof port>;

/** Duplex of a port. */
export const duplex = enumOf("Duplex", { Half: 0, Full: 1, Unknown: 255 });

export type Duplex = ValueOf<typeof duplex>;

/** Wake-on-LAN modes. */
export const wolMode = enumOf("WOLMode", {
  phy: 1,
  unicast: 2,
  multicast: 4,
  broadcast: 8,
  magic: 32,
  magicsecure: 64,
  filter: 128,
});

export type WolMode = ValueOf<typeof wolMode>;
