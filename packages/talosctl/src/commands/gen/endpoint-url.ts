import { OsError } from "@talos-ts/base";
import { defaultControlPlanePort } from "@talos-ts/machinery/constants";

/** @throws `cli/bad-endpoint` with the URL that was probably meant. */
export function checkEndpointUrl(text: string): void {
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(text)?.[1]?.toLowerCase();
  const rest = scheme === undefined ? text : text.slice(scheme.length + 3);
  const hasPort = /:\d+(?:\/|$)/.test(rest);
  const meant = `https://${hasPort ? rest : rest.replace(/\/*$/, `:${defaultControlPlanePort}`)}`;
  if (scheme === undefined) {
    throw bad(`no scheme${hasPort ? "" : " and port"} specified for the cluster endpoint URL`, meant);
  }
  if (scheme !== "https") throw bad("the control plane endpoint URL should have scheme https://", meant);
  const url = URL.parse(text);
  if (url === null || url.hostname === "") throw bad("error validating the cluster endpoint URL", "https://<host>:6443");
}

function bad(message: string, meant: string): OsError {
  return new OsError({
    kind: "invalid-argument",
    code: "cli/bad-endpoint",
    message: `${message}\ntry: ${JSON.stringify(meant)}`,
    next: `talosctl gen config <cluster> ${meant}`,
  });
}
