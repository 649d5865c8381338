import { test } from "@jest/globals";
import { expectGolden } from "./answers.ts";
import { replay } from "./replay.ts";

test.each(["apply-plan", "workspace-file", "definition-bounds", "gone-groups", "workspace-file-schema"])(
  "workspace files: %s",
  async (name) => expectGolden(name, await replay(name)),
);
