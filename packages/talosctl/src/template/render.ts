import { functions } from "./functions.ts";
import type { Command, Node, Nodes, Operand, Pipeline } from "./syntax.ts";
import { templateError } from "./template-error.ts";
import { isList, isObject, isTrue, showValue, type TemplateValue } from "./values.ts";

/** The data in hand, and variables that are known. */
interface Scope {
  readonly dot: TemplateValue;
  readonly variables: ReadonlyMap<string, TemplateValue>;
}

/** Renders a template with data. @throws {OsError} `template/bad` for names and values that do not fit */
export function renderTemplate(nodes: Nodes, data: TemplateValue): string {
  return renderNodes(nodes, { dot: data, variables: new Map([["$", data]]) });
}

function renderNodes(nodes: Nodes, { dot, variables: outer }: Scope): string {
  const variables = new Map(outer);
  const scope = { dot, variables };
  let text = "";
  for (const node of nodes) {
    if (node.kind === "assign") variables.set(node.name, evaluate(node.pipeline, scope));
    else text += renderNode(node, scope);
  }
  return text;
}

function renderNode(node: Exclude<Node, { readonly kind: "assign" }>, scope: Scope): string {
  if (node.kind === "text") return node.text;
  const value = evaluate(node.pipeline, scope);
  if (node.kind === "print") return showValue(value);
  if (!isTrue(value)) return renderNodes(node.otherwise, scope);
  if (node.kind === "if") return renderNodes(node.body, scope);
  if (node.kind === "with") return renderNodes(node.body, { ...scope, dot: value });
  return entriesOf(value)
    .map(([key, element]) => {
      const variables = new Map(scope.variables);
      const values = node.names.length === 1 ? [element] : [key, element];
      for (const [index, name] of node.names.entries()) variables.set(name, values[index]);
      return renderNodes(node.body, { dot: element, variables });
    })
    .join("");
}

function entriesOf(value: TemplateValue): readonly (readonly [key: TemplateValue, element: TemplateValue])[] {
  if (isList(value)) return value.map((element, index) => [index, element]);
  if (isObject(value) && value.elements !== undefined) return [...value.elements];
  throw templateError(`range cannot go over ${showValue(value)}`);
}

function evaluate({ commands }: Pipeline, scope: Scope): TemplateValue {
  let piped: readonly TemplateValue[] = [];
  for (const command of commands) piped = [run(command, scope, piped)];
  return piped[0];
}

function run(command: Command, scope: Scope, piped: readonly TemplateValue[]): TemplateValue {
  const args = [...command.args.map((each) => valueOf(each, scope, [])), ...piped];
  if (command.kind === "operand") return valueOf(command.operand, scope, args);
  const called = functions[command.name];
  if (called === undefined || !Object.hasOwn(functions, command.name))
    throw templateError(
      `function ${command.name} is not defined, expected one of ${Object.keys(functions).join(", ")}`,
    );
  return called(...args);
}

/** Arguments go to the last name of a chain; nothing else takes any. */
function valueOf(operand: Operand, scope: Scope, args: readonly TemplateValue[]): TemplateValue {
  if (operand.kind === "constant" || operand.names.length === 0) {
    if (args.length > 0) throw templateError("only functions and methods take arguments");
    return operand.kind === "constant" ? operand.value : sourceOf(operand.from, scope);
  }
  const { names } = operand;
  let value = sourceOf(operand.from, scope);
  for (const [index, name] of names.entries()) value = memberOf(value, name, index === names.length - 1 ? args : []);
  return value;
}

function sourceOf(from: Extract<Operand, { readonly kind: "chain" }>["from"], scope: Scope): TemplateValue {
  if (from.kind === "dot") return scope.dot;
  if (from.kind === "pipeline") return evaluate(from.pipeline, scope);
  if (scope.variables.has(from.name)) return scope.variables.get(from.name);
  throw templateError(`undefined variable ${from.name}`);
}

function memberOf(value: TemplateValue, name: string, args: readonly TemplateValue[]): TemplateValue {
  if (isObject(value)) return value.member(name, args);
  throw templateError(`can't evaluate field ${name} of ${showValue(value)}`);
}
