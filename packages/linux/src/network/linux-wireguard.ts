import { messageFlags } from "../netlink/message.ts";
import { openGeneric } from "../netlink/generic.ts";
import { decodeWireguard, encodeWireguard, wireguardLink } from "./wireguard-codec.ts";
import type { Wireguard } from "./wireguard.ts";

const GET_DEVICE = 0;
const SET_DEVICE = 1;

export function createLinuxWireguard(networkNamespace: string | undefined): Wireguard & Disposable {
  const family = openGeneric("wireguard", networkNamespace);
  return {
    async device(linkIndex) {
      const action = `read the WireGuard settings of link ${String(linkIndex)}`;
      const attributes = wireguardLink(linkIndex);
      const flags = messageFlags.NLM_F_DUMP;
      return decodeWireguard(await family.call({ command: GET_DEVICE, attributes, action, flags }));
    },
    async configure(linkIndex, settings) {
      const action = `change the WireGuard settings of link ${String(linkIndex)}`;
      await family.call({ command: SET_DEVICE, attributes: encodeWireguard(linkIndex, settings), action });
    },
    [Symbol.dispose]: () => family[Symbol.dispose](),
  };
}
