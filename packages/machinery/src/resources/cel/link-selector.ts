import { celEnv, celFunc, CelScalar, isCelError, parse, plan } from "@bufbuild/cel";
import { createRegistry, fromBinary } from "@bufbuild/protobuf";
import { OsError } from "@talos-ts/base";
import { LinkStatusSpecSchema } from "@talos-ts/proto/resource/definitions/network";
import { LinkStatus, type LinkStatusSpec } from "../network/link-status.ts";

/** Reports whether a link is chosen. @throws {OsError} `resource/expression-failed` */
export type LinkSelector = (link: LinkStatusSpec) => boolean;

/** Settings of `linkSelector`. */
export interface LinkSelectorOptions {
  /** The function `glob` of expressions: whether a text is like a pattern. */
  readonly glob: (pattern: string, text: string) => boolean;
}

/**
 * Makes a selector of a CEL expression over `link`, with the functions `mac` (an address of bytes as text) and `glob`.
 *
 * @throws {OsError} `resource/expression-failed` when the text is not CEL
 */
export function linkSelector(text: string, { glob }: LinkSelectorOptions): LinkSelector {
  const evaluate = attempt(text, () => {
    const env = celEnv({
      registry: createRegistry(LinkStatusSpecSchema),
      funcs: [
        celFunc("glob", [CelScalar.STRING, CelScalar.STRING], CelScalar.BOOL, (pattern, value) => glob(pattern, value)),
        celFunc("mac", [CelScalar.BYTES], CelScalar.STRING, (bytes) =>
          Buffer.from(bytes)
            .toString("hex")
            .replace(/..(?=.)/g, "$&:"),
        ),
      ],
    });
    return plan(env, parse(text));
  });
  return (link) => {
    const message = fromBinary(LinkStatusSpecSchema, LinkStatus.codec.encode(link));
    const result = attempt(text, () => evaluate({ link: message }));
    if (isCelError(result)) throw failed(text, result);
    return result === true;
  };
}

function attempt<T>(text: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw failed(text, cause);
  }
}

function failed(text: string, cause: unknown): OsError {
  return new OsError({
    kind: "invalid-argument",
    code: "resource/expression-failed",
    message: `Evaluating ${JSON.stringify(text)} failed: ${cause instanceof Error ? cause.message : String(cause)}`,
    cause,
    next: "talosctl get links -o yaml",
  });
}
