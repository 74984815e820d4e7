/** Context that a validator is given: the surroundings of the document, and where to put what it finds. */

import type { PlatformMode } from "../../constants/index.ts";
import type { MainConfig } from "../documents/v1alpha1/config.ts";
import type { Path } from "../load/problem.ts";

export const modeTraits: Readonly<
  Record<PlatformMode, { readonly requiresInstall: boolean; readonly inContainer: boolean }>
> = {
  metal: { requiresInstall: true, inContainer: false },
  cloud: { requiresInstall: false, inContainer: false },
  container: { requiresInstall: false, inContainer: true },
};

export interface Check {
  readonly mode: PlatformMode;
  /** The main document of the same configuration. */
  readonly main: MainConfig | undefined;
  readonly error: (path: Path, message: string) => void;
  readonly warn: (path: Path, message: string) => void;
  /** Checks a CEL expression, if the caller brought a checker; problems are reported behind `message`. */
  readonly expression: (path: Path, expression: string, environment: ExpressionEnvironment, message: string) => void;
  /** An error about two documents together, reported without the name of this one. */
  readonly conflict: (path: Path, message: string) => void;
}

/** Describes what an expression is about, which decides the names it may use. */
export type ExpressionEnvironment = "disk" | "volume" | "link" | "oom-trigger" | "oom-ranking";

/** @returns what is wrong with an expression, or nothing */
export type ExpressionChecker = (expression: string, environment: ExpressionEnvironment) => string | undefined;
