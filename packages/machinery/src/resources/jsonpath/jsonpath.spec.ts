import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { formatResult, parseJsonPath } from "./index.ts";

const value = {
  addresses: ["10.5.0.2/24", "fd00::1/64"],
  name: "node-1",
  ready: true,
  count: 3,
  none: null,
  meta: { labels: { "app.kubernetes.io/name": "x", b: "<&>" }, items: [] },
  conditions: [
    { type: "Ready", status: "True", n: 1 },
    { type: "Other", status: "False", n: 5 },
    { type: "Third", n: 9, deep: { x: [1, 2] } },
  ],
  matrix: [
    [1, 2],
    [3, 4],
  ],
};

/** Output of kubectl's evaluator for the same templates, missing keys allowed. */
const printed: Readonly<Record<string, string>> = {
  "plain text": "plain text",
  "{.name}": "node-1",
  "{ .name }": "node-1",
  "{$.name}-{@.count}": "node-1-3",
  "{['name']}": "node-1",
  "{.ready}": "true",
  "{.none}": "null",
  "{.missing}": "",
  "{.addresses}": '["10.5.0.2/24","fd00::1/64"]',
  "{.addresses[0]}": "10.5.0.2/24",
  "{.addresses[-1]}": "fd00::1/64",
  "{.addresses[*]}": "10.5.0.2/24 fd00::1/64",
  "{.addresses[:]}": "10.5.0.2/24 fd00::1/64",
  "{.addresses[0:1]}": "10.5.0.2/24",
  "{.addresses[::2]}": "10.5.0.2/24",
  "{.addresses[0,1]}": "10.5.0.2/24 fd00::1/64",
  "{.meta}": '{"items":[],"labels":{"app.kubernetes.io/name":"x","b":"\\u003c\\u0026\\u003e"}}',
  "{.meta.labels.*}": "x <&>",
  "{.meta.labels.app\\.kubernetes\\.io/name}": "x",
  "{.meta.labels['app\\.kubernetes\\.io/name']}": "x",
  "{.matrix[1][0]}": "3",
  "{.matrix[*][0]}": "1 3",
  "{..type}": "Ready Other Third",
  "{.conditions..x}": "[1,2]",
  '{.conditions[?(@.type=="Ready")].status}': "True",
  "{.conditions[?(@.type=='Ready')].status}": "True",
  '{.conditions[?(@.type!="Ready")].type}': "Other Third",
  '{.conditions[?(@.type=="Ready)")].n}': "",
  "{.conditions[?(@.n>1)].type}": "Other Third",
  "{.conditions[?(@.n<=5)].type}": "Ready Other",
  "{.conditions[?(@.status)].type}": "Ready Other",
  "{.conditions[*]['type','status']}": "Ready Other Third True False",
  '{range .conditions[*]}{.type}={.status}{"\\n"}{end}after': "Ready=True\nOther=False\nThird=\nafter",
  "{range .matrix[*]}<{range @[*]}{@},{end}>{end}": "<1,2,><3,4,>",
  "{range .missing[*]}[{.type}]{end}tail": "tail",
  "{'single'}{\"double\"}": "singledouble",
};

/** Templates that cannot be read. */
const unreadable: Readonly<Record<string, string>> = {
  "{.name": "unclosed action",
  "{end}": "not in range, nothing to end",
  "{foo}": "unrecognized identifier foo",
  "{.a[}": "unterminated array",
  "{.a[x]}": "invalid array index x",
  "{.a[?(@.b}": "unterminated filter",
  "{.a[?(@.b=!1)]}": "unrecognized filter operator =!",
  "{.a....b}": "invalid multiple recursive descent",
  "{#}": 'unrecognized character in action: "#"',
};

/** Paths that do not fit the value. */
const unfit: Readonly<Record<string, string>> = {
  "{.missing}": "missing is not found",
  "{.addresses[5]}": "array index out of bounds: index 5, length 2",
  "{.addresses[1:0]}": "starting index 1 is greater than ending index 0",
  "{.name[0]}": '"node-1" is not array or slice',
  "{.count[?(@.x)]}": "3 is not array or slice and cannot be filtered",
  "{.conditions[?(@.type==1)].type}": "incompatible types for comparison",
};

describe("parseJsonPath", () => {
  for (const [template, expected] of Object.entries(printed)) {
    test(`format fills in ${template}`, () => {
      assert.equal(parseJsonPath(template).format(value, { allowMissing: true }), expected);
    });
  }
  for (const [template, message] of Object.entries(unreadable)) {
    test(`refuses ${template}`, () => {
      assert.throws(() => parseJsonPath(template), { code: "jsonpath/invalid", message });
    });
  }
  for (const [template, message] of Object.entries(unfit)) {
    test(`format refuses ${template} for the value`, () => {
      assert.throws(() => parseJsonPath(template).format(value), { code: "jsonpath/invalid", message });
    });
  }
  test("find keeps the results of each part apart", () => {
    assert.deepEqual(parseJsonPath("{.addresses[*]}: {.count}").find(value), [value.addresses, [": "], [3]]);
  });
});

test("formatResult writes numbers as Go does", () => {
  assert.deepEqual(
    [0, 1e21, 1e-5, 123456789, -0.25].map((number) => formatResult(number)),
    ["0", "1e+21", "1e-05", "123456789", "-0.25"],
  );
});
