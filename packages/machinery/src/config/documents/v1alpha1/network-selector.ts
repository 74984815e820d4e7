import { boolean, string } from "../../schema/scalars.ts";
import { property, object } from "../../schema/type.ts";

export const deviceSelector = object(undefined, "Chooses a link by its hardware; shell patterns are allowed.", {
  busPath: property(string(), "Path on the PCI bus."),
  hardwareAddr: property(string(), "Hardware address."),
  permanentAddr: property(string(), "Hardware address as burnt in."),
  pciID: property(string(), "PCI vendor and product."),
  driver: property(string(), "Kernel driver."),
  physical: property(boolean, "Whether only physical links match."),
});
