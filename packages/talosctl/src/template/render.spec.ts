import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseTemplate } from "./parse-template.ts";
import { renderTemplate } from "./render.ts";
import type { TemplateObject, TemplateValue } from "./values.ts";

const object = (fields: Readonly<Record<string, TemplateValue>>): TemplateObject => ({
  elements: new Map(Object.entries(fields)),
  member: (name, args) => (name === "Join" ? args.join("+") : fields[name]),
});
const data = object({
  Name: "web",
  Count: 7,
  Share: 0.5,
  Empty: "",
  List: ["a", "b"],
  Map: object({ x: 1, y: 2 }),
});
const render = (template: string): string => renderTemplate(parseTemplate(template), data);

describe("renderTemplate()", () => {
  const cases: readonly (readonly [template: string, text: string])[] = [
    ["plain", "plain"],
    ["{{ .Name }}-{{.Count}}", "web-7"],
    ['{{ .Name | printf "%5s" }}|{{ .Name | printf "%-5s" }}|', "  web|web  |"],
    ['{{ printf "%03d %.2f %q %v%%" .Count .Share .Name .List }}', '007 0.50 "web" [a b]%'],
    ['{{ .List | printf "%2s" }}', "[ a  b]"],
    ["{{ if .Empty }}yes{{ else if eq .Count 7 }}seven{{ else }}no{{ end }}", "seven"],
    ["{{ if and .Name (not .Empty) }}both{{ end }}", "both"],
    ["{{ range .List }}<{{ . }}>{{ end }}", "<a><b>"],
    ["{{ range $i, $v := .List }}{{ $i }}={{ $v }} {{ end }}", "0=a 1=b "],
    ["{{ range $k, $v := .Map }}{{ $k }}{{ $v }}{{ $.Count }}{{ end }}", "x17y27"],
    ["{{ range .Empty }}x{{ else }}none{{ end }}", "none"],
    ["{{ with .Map }}{{ .y }}{{ end }}", "2"],
    ["{{ $n := .Count }}{{ if gt $n 5 }}{{ $n }}{{ end }}", "7"],
    ['{{ (index .Map "x") }} {{ index .List 1 }} {{ len .Map }}', "1 b 2"],
    ["{{ .Join 1 2 }} {{ 3 | .Map.Join 2 }}", "1+2 2+3"],
    ["a {{- /* nothing */ -}} b", "ab"],
    ['{{ `raw }} text` }}{{ "\\"" }}', 'raw }} text"'],
  ];
  for (const [template, text] of cases) it(template, () => assert.equal(render(template), text));

  const refused: readonly (readonly [template: string, message: RegExp])[] = [
    ["{{ .Name", /has no end/],
    ["{{ end }}", /unexpected \{\{end\}\}/],
    ["{{ range .List }}", /no \{\{end\}\}/],
    ['{{ define "x" }}', /not supported/],
    ["{{ .Name ? }}", /unexpected "\?"/],
    ["{{ (.Name }}", /not closed/],
    ["{{ nothing }}", /function nothing is not defined/],
    ["{{ constructor }}", /function constructor is not defined/],
    ["{{ $x }}", /undefined variable \$x/],
    ["{{ .Name.Length }}", /can't evaluate field Length of web/],
    ['{{ printf "%d" .Name }}', /%d wants a number/],
    ['{{ printf "%s" }}', /%s has no value/],
    ['{{ printf "x" 1 }}', /more values than verbs/],
    ["{{ index .List 9 }}", /outside/],
    ["{{ eq .Name 1 }}", /cannot compare/],
    ["{{ .Name | 5 }}", /only functions and methods take arguments/],
  ];
  for (const [template, message] of refused) {
    it(`refuses ${template}`, () => assert.throws(() => render(template), { code: "template/bad", message }));
  }
});
