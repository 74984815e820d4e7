/** Something wrong in a configuration, with the place in the source a person has to look at. */

/** Something wrong in a configuration: message, path of the field, and place in the text. */
export interface Problem {
  /** Stable name of the condition, `config/...`. */
  readonly code: string;
  readonly severity: "error" | "warning";
  /** `KIND` or `KIND/NAME` of the document, `v1alpha1.Config` for the main one. */
  readonly document: string;
  readonly path: Path;
  readonly message: string;
  /** Counted from one; zero when the problem has no place in the source. */
  readonly line: number;
  readonly column: number;
}

/** Keys and indexes from the root of a document. */
export type Path = readonly (string | number)[];

/** `machine.network.interfaces[0].addresses` */
export function formatPath(path: Path): string {
  return path.reduce<string>(
    (text, step) =>
      typeof step === "number"
        ? `${text}[${step}]`
        : /^[\w-]+$/.test(step)
          ? `${text}${text === "" ? "" : "."}${step}`
          : `${text}[${JSON.stringify(step)}]`,
    "",
  );
}

/** `line 12, column 5: machine.install.dsk: unknown key; did you mean "disk"?` */
export function formatProblem(problem: Problem): string {
  const place = problem.line > 0 ? `line ${problem.line}, column ${problem.column}: ` : "";
  const path = formatPath(problem.path);
  return `${place}${path === "" ? "" : `${path}: `}${problem.message}`;
}
