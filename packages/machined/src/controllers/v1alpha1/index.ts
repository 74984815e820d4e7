import { effect, type ControllerRow } from "../controller-row.ts";
import { serviceController } from "./service.ts";

/** Controllers that publish services as resources. */
export const v1alpha1Controllers: readonly ControllerRow[] = [effect(serviceController)];
