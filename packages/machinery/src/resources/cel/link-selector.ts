import { celFunc, CelScalar } from "@bufbuild/cel";
import { fromBinary } from "@bufbuild/protobuf";
import { LinkStatusSpecSchema } from "@talos-ts/proto/resource/definitions/network";
import { LinkStatus, type LinkStatusSpec } from "../network/link-status.ts";
import { globFunction, selectorExpression, type Glob } from "./selector-expression.ts";

/** Reports whether a link is chosen. @throws {OsError} `resource/expression-failed` */
export type LinkSelector = (link: LinkStatusSpec) => boolean;

/** Settings of `linkSelector`. */
export interface LinkSelectorOptions {
  readonly glob: Glob;
}

const mac = celFunc("mac", [CelScalar.BYTES], CelScalar.STRING, (bytes) =>
  Buffer.from(bytes)
    .toString("hex")
    .replace(/..(?=.)/g, "$&:"),
);

/**
 * Makes a selector of a CEL expression over `link`, with the functions `mac` (an address of bytes as text) and `glob`.
 *
 * @throws {OsError} `resource/expression-failed` when the text is not CEL
 */
export function linkSelector(text: string, { glob }: LinkSelectorOptions): LinkSelector {
  const holds = selectorExpression(text, {
    messages: [LinkStatusSpecSchema],
    functions: [globFunction(glob), mac],
    next: "talosctl get links -o yaml",
  });
  return (link) => holds({ link: fromBinary(LinkStatusSpecSchema, LinkStatus.codec.encode(link)) });
}
