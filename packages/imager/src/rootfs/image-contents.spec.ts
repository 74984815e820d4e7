import assert from "node:assert/strict";
import { test } from "node:test";
import { alternativeLinks, imagePackages, programs, unwantedPackages } from "./image-contents.ts";

test("programs contain no shell, interpreter or package manager", () => {
  const forbidden = /\/(?:sh|bash|dash|busybox|perl.*|python.*|apt.*|dpkg.*|ctr|nsenter|chroot)$/;
  assert.deepEqual(
    programs.filter((path) => forbidden.test(path)),
    [],
  );
});

test("unwantedPackages leave every wanted package in", () => {
  const lost = imagePackages.filter((name) => unwantedPackages.some((pattern) => pattern.test(name)));
  assert.deepEqual(lost, []);
});

test("alternativeLinks lead to a program of the image", () => {
  for (const target of new Set(Object.values(alternativeLinks))) assert.ok(programs.includes(`usr/sbin/${target}`));
  assert.equal(alternativeLinks["usr/sbin/ip6tables-restore"], "xtables-nft-multi");
});
