import { expect, test } from "@jest/globals";
import { adminScene } from "../support/admin-scene.ts";

const { admin } = adminScene("workspace: acme\nusers: [{ email: ada@acme.test }]\n");

test.each([
  ["", /^A command is missing\. There are: apply, export, keys/],
  ["keys", /^A command is missing\. There are: keys create, keys list, keys rotate, keys rename, keys revoke/],
  ["invoices --workspace acme", /^There is no command "invoices"\. There are: apply, export/],
  ["keys make", /^There is no command "make"\. There are: keys create/],
  ["keys create --workspace acme", /^--user <email> is missing\. Usage: keys create --workspace <slug> --user <email>/],
  [
    "keys create --workspace acme --user a@b.c --access all",
    /^--access <access> cannot be "all"\. It takes full, read\. Usage: /,
  ],
  ["keys revoke key_1", /is not the id of a key/],
  ["users list --workspace acme --colour", /^users list has no option --colour\. Usage: users list/],
  ["apply", /^FILE is missing\. Usage: apply FILE/],
  ["import people --workspace acme --group Sales", /^FILE is missing\./],
  ["webhooks test wbk_1", /^"wbk_1" is not the id of a webhook; "webhooks list" shows the ids\. Usage: webhooks test/],
  [
    "--workspace acme users list",
    /^There is no option --workspace\. Options stand behind the words of their command\. There are: apply, /,
  ],
  ["--colour", /^There is no option --colour\. There are: apply, export/],
  ["keys create", /^--workspace <slug> and --user <email> are missing\. Usage: /],
  ["keys rename", /^KEY and NAME are missing\. Usage: /],
  ["keys list --workspace", /^--workspace needs a value\. Usage: /],
  ["keys --workspace acme list", /^keys has no option --workspace\. Options stand behind .*: keys create, /],
  [
    "users list --workspace acme Ada Lovelace",
    /^There is no place for "Ada" and "Lovelace": a value of several words stands in quotes\. Usage: /,
  ],
  [
    "keys create --workspace acme --user a@b.c --expires tomorrow",
    /^--expires <date> cannot be "tomorrow"\. It takes a date like /,
  ],
  ["completion BASH", /^SHELL cannot be "BASH"\. It takes bash, zsh, fish\. Usage: completion SHELL/],
  ["webhooks replay wbk_01a209d3-c2c1-7487-991a-32578b1424d8 --delivery x", /^"x" is not the id of a delivery; /],
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
