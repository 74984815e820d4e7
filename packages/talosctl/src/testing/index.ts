export { startFakeNode, type FakeNode, type FakeNodeOptions } from "./fake-node.ts";
export { tarGz } from "./tar.ts";
export { runCommand, type Result, type RunCommandOptions } from "./run-command.ts";
