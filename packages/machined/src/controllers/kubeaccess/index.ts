import { effect, pure, type ControllerRow } from "../controller-row.ts";
import { kubernetesAccessConfigController } from "./config.ts";
import { serviceAccountController } from "./crd.ts";
import { talosEndpointController } from "./endpoint.ts";

/** Controllers of the access of pods to the machine API. */
export const kubeaccessControllers: readonly ControllerRow[] = [
  effect(serviceAccountController),
  effect(talosEndpointController),
  pure(kubernetesAccessConfigController),
];
