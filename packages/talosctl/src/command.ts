import type { GlobalOptions } from "./global-options.ts";
import type { Terminal } from "./terminal/terminal.ts";

/** A line of the command list: enough for `--help` and completion, without loading the command. */
export interface CommandEntry {
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly summary: string;
  readonly hidden?: boolean;
  /** Erases, stops or restarts something: never suggested for a mistyped word. */
  readonly destructive?: boolean;
  /** Loads what the command needs, only when it is called. */
  readonly load?: () => Promise<{ readonly command: CommandDefinition }>;
  readonly subcommands?: readonly CommandEntry[];
}

/** A command as its own file describes it. */
export interface CommandDefinition {
  /** Positional arguments in commander's form: `<type>`, `[id]`, `[files...]`. */
  readonly arguments?: readonly ArgumentDefinition[];
  readonly options?: readonly OptionDefinition[];
  /** A paragraph below the summary. */
  readonly description?: string;
  /** Whole command lines, shown by `--help`. */
  readonly examples?: readonly string[];
  /** Takes the flags that choose nodes, endpoints and talosconfig. @default {true} */
  readonly talksToNodes?: boolean;
  run(invocation: Invocation): Promise<void>;
}

export interface ArgumentDefinition {
  readonly spec: string;
  readonly description: string;
  /** Values offered by shell completion. */
  readonly choices?: readonly string[];
  /** Values offered by shell completion that must be looked up. */
  readonly suggest?: (invocation: Invocation) => Promise<readonly string[]>;
}

export interface OptionDefinition {
  /** As in `-o, --output <format>`. */
  readonly flags: string;
  readonly description: string;
  readonly default?: string | boolean | number | readonly string[];
  readonly choices?: readonly string[];
  /** Values offered by shell completion, for options that take others too. */
  readonly suggest?: (invocation: Invocation) => Promise<readonly string[]>;
  /** May be given several times, and as a comma-separated list. */
  readonly list?: boolean;
  /** May be given several times; commas are part of a value. */
  readonly repeat?: boolean;
  readonly hidden?: boolean;
  /** Must be given. */
  readonly required?: boolean;
}

/** A command as it is called: its words, and the options that it has. */
export interface CalledCommand {
  /** As in `talosctl etcd recover`. */
  readonly path: string;
  readonly options: readonly OptionDefinition[];
}

/** One call of a command. */
export interface Invocation {
  readonly args: readonly string[];
  /** Values by camel-case flag name. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly global: GlobalOptions;
  /** The command that is called. */
  readonly called: CalledCommand;
  /** Aborts on Ctrl-C: commands end their streams and clean up. */
  readonly signal: AbortSignal;
  readonly io: Io;
  /** All commands, for those that tell about them. */
  readonly entries: readonly CommandEntry[];
}

/** Describes where a command reads and writes, so that tests need no process. */
export interface Io {
  /** Writes a result: what a pipe or a program reads. */
  out(text: string | Uint8Array): void;
  /** Tells a person something: what is done, how far it is, what to do next. */
  err(text: string): void;
  /** Waits until the reader of the output keeps up, or the signal aborts, so that large files do not pile up in memory. */
  drained?(signal: AbortSignal): Promise<void>;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether a terminal shows what is told: it can be redrawn in place. */
  readonly isTerminal: boolean;
  /** Width of that terminal. */
  readonly columns: number;
  /** Standard input. */
  readonly input?: NodeJS.ReadableStream;
  /** The terminal, for commands that take it over; absent when input or output is something else. */
  readonly terminal?: Terminal | undefined;
}
