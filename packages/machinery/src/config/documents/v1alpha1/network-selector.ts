import { boolean, string } from "../../schema/scalars.ts";
import { field, object } from "../../schema/type.ts";

export const deviceSelector = object(undefined, "Chooses a link by its hardware; shell patterns are allowed.", {
  busPath: field(string(), "Path on the PCI bus."),
  hardwareAddr: field(string(), "Hardware address."),
  permanentAddr: field(string(), "Hardware address as burnt in."),
  pciID: field(string(), "PCI vendor and product."),
  driver: field(string(), "Kernel driver."),
  physical: field(boolean, "Whether only physical links match."),
});
