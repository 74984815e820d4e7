/** Arguments of the kernel's command line. */
export interface KernelArguments {
  /** Every value of `name=value`, in order; `name` alone counts as "". */
  all(name: string): readonly string[];
  /** The last value, which wins as it does in the kernel; `undefined` without the argument. */
  last(name: string): string | undefined;
}

/** A word: double quotes keep spaces together and are taken off. */
const eachWord = /(?:[^\s"]|"[^"]*"?)+/g;

/** Parses the content of `/proc/cmdline`. */
export function parseKernelArguments(text: string): KernelArguments {
  const words = [...text.matchAll(eachWord)].map(([word]) => word.replaceAll('"', ""));
  const pairs = words.map((word) => {
    const at = word.indexOf("=");
    return at < 0 ? ([word, ""] as const) : ([word.slice(0, at), word.slice(at + 1)] as const);
  });
  const all = (name: string): readonly string[] => pairs.filter(([key]) => key === name).map(([, value]) => value);
  return { all, last: (name) => all(name).at(-1) };
}
