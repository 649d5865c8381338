import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "@jest/globals";
import { parse } from "yaml";
import { serviceFolders } from "../../config/service-folders.ts";

const FOLDER = join(__dirname, "..", "..", "k8s");
const textOf = (file: string) => readFileSync(join(FOLDER, file), "utf8");

it("k8s runs every service folder in one deployment (docs/guides/growing.md#kubernetes)", () => {
  const { resources } = parse(textOf("kustomization.yaml")) as { resources: string[] };
  const manifests = resources.flatMap((folder) => globSync(`${folder}/*.yaml`, { cwd: FOLDER })).map(textOf);
  const run = manifests.flatMap((text) => /SERVICES"?, "?value"?: "([^"]+)"/.exec(text)?.[1]?.split(",") ?? []);
  expect(run.sort()).toEqual(serviceFolders());
});
