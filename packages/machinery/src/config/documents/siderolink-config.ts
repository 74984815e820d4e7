import { document } from "../schema/document.ts";
import { urlFormat } from "../schema/formats.ts";
import { parseGoUrl } from "../schema/go-url.ts";
import { string } from "../schema/scalars.ts";
import { property } from "../schema/type.ts";

/** As Go escapes a value of a query. */
function queryEscape(text: string): string {
  return encodeURIComponent(text).replaceAll(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** Only the join token in the address is a secret. */
function hideJoinToken(address: string, replacement: string): string {
  return address.replace(/([?&]jointoken=)[^&#]*/g, (_all, start: string) => start + queryEscape(replacement));
}

export const siderolinkConfig = document({
  kind: "SideroLinkConfig",
  schemaName: "siderolink.ConfigV1Alpha1",
  doc: "The management server the machine connects to.",
  fields: {
    apiUrl: property(urlFormat("https|grpc"), "Address of the server, with the join token.", {
      always: true,
      secret: hideJoinToken,
      example: "https://siderolink.api/?jointoken=secret",
    }),
    uniqueToken: property(string(), "Token that identifies this machine.", { secret: true }),
  },
  validate: ({ apiUrl }, check) => {
    if (apiUrl === undefined) return check.error(["apiUrl"], "apiUrl is required");
    const { scheme, path } = parseGoUrl(apiUrl);
    if (scheme !== "https" && scheme !== "grpc") check.error(["apiUrl"], "apiUrl scheme must be https:// or grpc://");
    else if (path !== "" && path !== "/") check.error(["apiUrl"], "apiUrl path must be empty");
  },
});
