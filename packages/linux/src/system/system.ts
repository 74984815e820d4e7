/** Commands of reboot(2); in a pid namespace they end the namespace instead of the machine. */
export const rebootCommands = {
  restart: 0x01234567,
  halt: 0xcdef0123,
  "power-off": 0x4321fedc,
  kexec: 0x45584543,
  "enable-ctrl-alt-delete": 0x89abcdef,
  "disable-ctrl-alt-delete": 0,
} as const;

export type RebootCommand = keyof typeof rebootCommands;

/** The machine as a whole. Errors have codes `system/<errno>`. */
export interface System {
  hostname(): string;
  setHostname(name: string): void;
  /** Writes everything to the disks. */
  sync(): Promise<void>;
  /** Does not write the disks first. Commands that end the machine do not come back. */
  reboot(command: RebootCommand): void;
}
