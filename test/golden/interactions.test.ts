import { test } from "@jest/globals";
import { expectGolden } from "./answers.ts";
import { replay } from "./replay.ts";

test.each([
  "import-interactions",
  "import-interactions-fault",
  "interactions-open",
  "interactions-a",
  "interactions-b",
])("files of interactions: %s", async (name) => expectGolden(name, await replay(name)));
