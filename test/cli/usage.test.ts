import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { type TestAdmin, testAdmin } from "../support/admin.ts";
import { testFolder } from "../support/folder.ts";

let admin: TestAdmin;
const files = testFolder();

beforeAll(async () => {
  admin = await testAdmin();
  await admin.run("apply", files.write("w.yaml", "workspace: acme\nusers: [{ email: ada@acme.test }]\n"));
});
afterAll(async () => {
  await admin.close();
  files.remove();
});

test.each([
  ["", /^A command is missing\. There are: apply, export, keys/],
  ["keys", /^A command is missing\. There are: keys create, keys list, keys rotate, keys rename, keys revoke/],
  ["invoices --workspace acme", /^There is no command "invoices"\. There are: apply, export/],
  ["keys make", /^There is no command "make"\. There are: keys create/],
  [
    "keys create --workspace acme",
    /^required option '--user <email>' not specified\. Usage: keys create --workspace <slug> --user <email>/,
  ],
  [
    "keys create --workspace acme --user a@b.c --access all",
    /'all' is invalid\. Allowed choices are full, read\. Usage: /,
  ],
  ["keys revoke key_1", /is no id of a key/],
  ["users list --workspace acme --colour", /^unknown option '--colour'\. Usage: users list/],
  ["apply", /^missing required argument 'FILE'\. Usage: apply FILE/],
  ["import people --workspace acme --group Sales", /^missing required argument 'FILE'/],
  ["webhooks test wbk_1", /^"wbk_1" is no id of a webhook; "webhooks list" shows them\. Usage: webhooks test/],
  ["--workspace acme users list", /^unknown option '--workspace'\. Options stand behind the words of their command\./],
  ["--colour", /^unknown option '--colour'\. There are: apply, export/],
])("wrong usage %j ends with exit code 2 and one line that says what to do", async (words, message) => {
  const { code, out, err } = await admin.run(words);
  expect({ code, out }).toEqual({ code: 2, out: "" });
  expect(err).toMatch(message);
  expect(err.trim()).not.toContain("\n");
});

test.each([
  ["apply missing.yaml", /^There is no file missing\.yaml\.$/],
  ["users list --workspace nix", /^There is no workspace "nix"\. There are: acme\.$/],
  ["keys create --workspace acme --user eve@acme.test", /has no user with the e-mail address eve@acme\.test/],
  [`keys revoke key_${"0".repeat(8)}-0000-7000-8000-${"0".repeat(12)}`, /^There is no key with the id/],
])("an error of %j ends with exit code 1 and one line", async (words, message) => {
  const { code, out, err } = await admin.run(words);
  expect({ code, out }).toEqual({ code: 1, out: "" });
  expect(err.trim()).toMatch(message);
  expect(err.trim()).not.toContain("\n");
});
