import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import type { Io } from "./command.ts";

/** The kubeconfig that is changed when none is named: the first file of $KUBECONFIG, as kubectl does, else ~/.kube/config. */
export function defaultKubeconfigPath({ env }: Pick<Io, "env">): string {
  const first = (env["KUBECONFIG"] ?? "").split(delimiter).find((path) => path !== "");
  return first ?? join(env["HOME"] ?? homedir(), ".kube", "config");
}
