/** Describes how the process that is the machine ends. */
export interface PowerControl {
  /** Ends every other process and removes what was mounted since the start. */
  quiesce(): Promise<void>;
  /** Starts the machine anew; does not return. */
  reboot(): Promise<void>;
  /** Ends the machine; does not return. */
  powerOff(): Promise<void>;
}
