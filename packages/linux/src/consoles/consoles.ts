/** Text screens of the machine: one display that shows one of several virtual terminals (console(4)). Errors have codes `console/<errno>`. */
export interface Consoles {
  /**
   * Name of the driver that shows virtual terminals on a display, as `VGA+` or `frame buffer device`; `undefined` when nobody
   * can see them: the kernel has none, or only the dummy driver of a machine without a display.
   */
  display(): Promise<string | undefined>;
  /** Brings a virtual terminal onto the display, and waits until it is there. @param number From 1, as in `/dev/tty1`. */
  activate(number: number): Promise<void>;
  /** Lets the kernel log to one virtual terminal, whichever is on the display. Serial consoles of the kernel log as before. */
  keepKernelLog(number: number): void;
}
