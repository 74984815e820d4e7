import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

export type TestState = "passed" | "failed" | "skipped";

/** Result of a test. */
export interface TestResult {
  readonly name: string;
  readonly state: TestState;
  readonly seconds: number;
  /** Why it failed or was skipped. */
  readonly message?: string;
}

export interface GinkgoOptions {
  /** The program with the tests. */
  readonly program: string;
  readonly kubeconfig: string;
  readonly kubectl: string;
  readonly signal?: AbortSignal;
}

/** One entry of the JSON report of Ginkgo, as far as it is read here. */
interface SpecReport {
  readonly ContainerHierarchyTexts?: readonly string[] | null;
  readonly LeafNodeText: string;
  readonly LeafNodeType: string;
  readonly State: string;
  readonly RunTime: number;
  readonly Failure?: { readonly Message?: string };
}

/** Names of all conformance tests, in the order of the program. */
export async function listTests(options: GinkgoOptions): Promise<readonly string[]> {
  const specs = await runGinkgo(options, ["--ginkgo.dry-run", String.raw`--ginkgo.focus=\[Conformance\]`]);
  return specs.filter(({ State }) => State === "passed").map(nameOf);
}

/** Runs tests by their names, one after the other. */
export async function runTests(options: GinkgoOptions, names: readonly string[]): Promise<readonly TestResult[]> {
  const focus = names.map((name) => `${escapeRegExp(name)}$`).join("|");
  const specs = await runGinkgo(options, [`--ginkgo.focus=${focus}`]);
  const wanted = new Set(names);
  return specs.filter((spec) => wanted.has(nameOf(spec))).map(resultOf);
}

function resultOf(spec: SpecReport): TestResult {
  const result = { name: nameOf(spec), state: stateOf(spec.State), seconds: spec.RunTime / 1e9 };
  const message = spec.Failure?.Message?.split("\n")[0];
  return message === undefined || result.state === "passed" ? result : { ...result, message };
}

function nameOf({ ContainerHierarchyTexts, LeafNodeText }: SpecReport): string {
  return [...(ContainerHierarchyTexts ?? []), LeafNodeText].join(" ");
}

function stateOf(state: string): TestState {
  return state === "passed" || state === "skipped" ? state : "failed";
}

function escapeRegExp(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
}

/** Runs the program and reads its report; that tests fail is no error of the program. */
async function runGinkgo(options: GinkgoOptions, flags: readonly string[]): Promise<readonly SpecReport[]> {
  const folder = await mkdtemp(join(tmpdir(), "conformance-"));
  const file = join(folder, "report.json");
  const args = [
    "--provider=skeleton",
    `--kubeconfig=${options.kubeconfig}`,
    `--kubectl-path=${options.kubectl}`,
    "--disable-log-dump",
    "--ginkgo.no-color",
    "--ginkgo.timeout=2h",
    `--ginkgo.json-report=${file}`,
    ...flags,
  ];
  const environment = { PATH: process.env["PATH"], HOME: folder, KUBECONFIG: options.kubeconfig };
  try {
    const said = await new Promise<string>((resolve) => {
      const limits = { env: environment, cwd: folder, maxBuffer: 512 * 1024 * 1024 };
      const signal = options.signal === undefined ? {} : { signal: options.signal };
      execFile(options.program, args, { ...limits, ...signal }, (_err, stdout, stderr) =>
        resolve(`${stdout}${stderr}`),
      );
    });
    options.signal?.throwIfAborted();
    const text = await readFile(file, "utf8").catch(() => undefined);
    if (text === undefined) throw new Error(`the tests ended without a report: ${said.trimEnd().slice(-2000)}`);
    const reports = JSON.parse(text) as readonly { readonly SpecReports?: readonly SpecReport[] | null }[];
    return reports.flatMap((report) => report.SpecReports ?? []).filter(({ LeafNodeType }) => LeafNodeType === "It");
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
