import { pure, type ControllerRow } from "../controller-row.ts";
import { imageVerificationConfigController } from "./image-verification-config.ts";

/** Controllers of what the machine trusts. */
export const securityControllers: readonly ControllerRow[] = [pure(imageVerificationConfigController)];
