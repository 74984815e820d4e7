import { document } from "../schema/document.ts";
import { urlFormat } from "../schema/formats.ts";
import { parseGoUrl } from "../schema/go-url.ts";
import { property } from "../schema/type.ts";

export const kmsgLogConfig = document({
  kind: "KmsgLogConfig",
  schemaName: "runtime.KmsgLogV1Alpha1",
  doc: "Where messages of the kernel are sent.",
  name: "Name of the receiver.",
  nameOptional: true,
  fields: {
    url: property(urlFormat("tcp|udp"), "Address of the receiver: tcp://host:port or udp://host:port.", {
      always: true,
      example: "tcp://192.168.3.7:3478/",
    }),
  },
  validate: ({ name, url: address }, check) => {
    if (name === undefined) return check.error(["name"], "name is required");
    if (address === undefined) return check.error(["url"], "url is required");
    const problem = urlProblem(address);
    if (problem !== undefined) check.error(["url"], problem);
  },
});

function urlProblem(address: string): string | undefined {
  const { scheme, path, port } = parseGoUrl(address);
  if (scheme !== "tcp" && scheme !== "udp") return "url scheme must be tcp:// or udp://";
  if (path !== "" && path !== "/") return "url path must be empty";
  return port === "" ? "url port is required" : undefined;
}
