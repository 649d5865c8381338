import { test } from "@jest/globals";
import { expectGolden } from "./answers.ts";
import { replay } from "./replay.ts";

test.each([
  "import",
  "import-plan",
  "import-matching",
  "import-objects",
  "exports",
  "csv",
  "vcard",
  "xlsx",
  "input",
  "readings",
])("files of records: %s", async (name) => expectGolden(name, await replay(name)));
