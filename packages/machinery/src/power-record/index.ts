export { readDeath, readPowerState, writeDeath, writePowerState, type Death, type PowerState } from "./power-record.ts";
