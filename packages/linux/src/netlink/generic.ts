import { OsError } from "@talos-ts/base";
import { hasErrno } from "../ffi/errno.ts";
import { encodeAttributes, parseAttributes, type Attribute } from "./attributes.ts";
import { createNetlinkCall, type NetlinkCall } from "./request.ts";
import { openNetlink } from "./socket.ts";
import { readU16, text } from "./values.ts";

const GENL_ID_CTRL = 16;
const CTRL_CMD_GETFAMILY = 3;
const CTRL_ATTR_FAMILY_ID = 1;
const CTRL_ATTR_FAMILY_NAME = 2;
const GENL_HEADER = 4;

/** A request to a family of generic netlink; answers come without their headers. */
export type GenericCall = (request: {
  readonly command: number;
  readonly attributes: readonly Attribute[];
  /** Continues the word "Cannot" in the error. */
  readonly action: string;
  /** Further flags of the message, such as NLM_F_DUMP. */
  readonly flags?: number;
}) => Promise<readonly Buffer[]>;

function payload(command: number, attributes: readonly Attribute[]): Buffer {
  return Buffer.concat([Buffer.from([command, 1, 0, 0]), encodeAttributes(attributes)]);
}

/**
 * Opens a family of generic netlink by name, on the first request.
 *
 * @throws OsError `netlink/no-family` from a request when the kernel lacks the family
 */
export function openGeneric(
  family: string,
  networkNamespace: string | undefined,
): { readonly call: GenericCall } & Disposable {
  let opening: Promise<{ readonly call: NetlinkCall; readonly id: number } & Disposable> | undefined;

  async function open() {
    const socket = await openNetlink({ protocol: "generic", networkNamespace });
    const call = createNetlinkCall(socket);
    try {
      const attributes = [{ type: CTRL_ATTR_FAMILY_NAME, value: text(family) }];
      const action = `find the netlink family "${family}"`;
      const [answer] = await call({ type: GENL_ID_CTRL, payload: payload(CTRL_CMD_GETFAMILY, attributes), action });
      const found = parseAttributes((answer?.payload ?? Buffer.alloc(GENL_HEADER)).subarray(GENL_HEADER));
      return { call, id: readU16(found, CTRL_ATTR_FAMILY_ID) ?? 0, [Symbol.dispose]: () => socket[Symbol.dispose]() };
    } catch (err) {
      socket[Symbol.dispose]();
      if (!hasErrno(err, "ENOENT")) throw err;
      const message = `Cannot use the netlink family "${family}": the kernel does not have it`;
      throw new OsError({ kind: "unimplemented", code: "netlink/no-family", message, cause: err });
    }
  }

  return {
    async call({ command, attributes, action, flags = 0 }) {
      opening ??= open();
      try {
        const { call, id } = await opening;
        const messages = await call({ type: id, payload: payload(command, attributes), action, flags });
        return messages.map((message) => message.payload.subarray(GENL_HEADER));
      } catch (err) {
        if (err instanceof OsError && err.code === "netlink/no-family") opening = undefined;
        throw err;
      }
    },
    [Symbol.dispose]() {
      void opening?.then((open) => open[Symbol.dispose]()).catch(() => undefined);
      opening = undefined;
    },
  };
}
