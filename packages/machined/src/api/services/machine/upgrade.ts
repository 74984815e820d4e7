import { refuseWithoutInstaller } from "../../access/mode-support.ts";
import type { Handler } from "./handler.ts";

export const upgrade: Handler<"upgrade"> = (machine) => () => refuseWithoutInstaller(machine);

export const rollback: Handler<"rollback"> = (machine) => () => refuseWithoutInstaller(machine);
