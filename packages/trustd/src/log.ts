/** Takes one line of the daemon's log; never a secret. */
export type Log = (line: string) => void;
