import { execFileSync, spawnSync } from "node:child_process";
import { createHmac, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "@jest/globals";
import { testFolder } from "../support/folder.ts";
import { blocksOf } from "./blocks.ts";

const GUIDE = join(import.meta.dirname, "..", "..", "docs", "guides", "webhooks.md");

/** The code of the guide in a language, without a library. */
function codeIn(language: string): string {
  const block = blocksOf(readFileSync(GUIDE, "utf8")).find(
    (one) => one.language === language && /HMAC|hmac/.test(one.text),
  );
  if (!block) throw new Error(`The guide has no code in ${language}.`);
  return block.text;
}

interface Language {
  name: string;
  program: string;
  file: string;
  /**
   * What is put behind the code: it reads the secret, the headers and the body as JSON, and prints `true` or `false`.
   */
  rest: string;
  /** How the file is run. */
  words(file: string): string[];
}

const LANGUAGES: Language[] = [
  {
    name: "js",
    program: process.execPath,
    file: "verify.mjs",
    rest: `import { readFileSync } from "node:fs";
const { secret, headers, body } = JSON.parse(readFileSync(0, "utf8"));
console.log(isGenuine(secret, headers, body));`,
    words: (file) => [file],
  },
  {
    name: "python",
    program: "python3",
    file: "verify.py",
    rest: `
import json, sys
sent = json.load(sys.stdin)
print(str(is_genuine(sent["secret"], sent["headers"], sent["body"].encode())).lower())`,
    words: (file) => [file],
  },
  {
    name: "ruby",
    program: "ruby",
    file: "verify.rb",
    rest: `
require "json"
sent = JSON.parse($stdin.read)
puts genuine?(sent["secret"], sent["headers"], sent["body"])`,
    words: (file) => [file],
  },
  {
    name: "go",
    program: "go",
    file: "verify.go",
    rest: `
func main() {
	var sent struct { Secret string; Headers map[string]string; Body string }
	json.NewDecoder(os.Stdin).Decode(&sent)
	header := http.Header{}
	for name, value := range sent.Headers { header.Set(name, value) }
	fmt.Println(IsGenuine(sent.Secret, header, []byte(sent.Body)))
}`,
    words: (file) => ["run", file],
  },
];

const key = randomBytes(32);
const secret = `whsec_${key.toString("base64")}`;
const body = JSON.stringify({ type: "person.created", name: "Zoë" });
const nowS = Math.floor(Date.now() / 1000);

function headersAt(seconds: number, text = body, signedBy = key): Record<string, string> {
  const id = "evt_01985b3e-7c1a-7f3e-9d52-3f6a1b8c4e70";
  const signature = createHmac("sha256", signedBy).update(`${id}.${seconds}.${text}`).digest("base64");
  return { "webhook-id": id, "webhook-timestamp": String(seconds), "webhook-signature": `v1,${signature}` };
}

const genuine = headersAt(nowS);
const replaced = headersAt(nowS, body, randomBytes(32));

/** What arrives, and whether it is genuine. */
const ARRIVALS: [what: string, headers: Record<string, string>, isGenuine: boolean][] = [
  ["a signed one", genuine, true],
  ["one with two signatures, the second of this secret", both(replaced, genuine), true],
  ["one with two signatures, the first of this secret", both(genuine, replaced), true],
  ["one that another secret has signed", replaced, false],
  ["one with another body", headersAt(nowS, `${body} `), false],
  ["one with another time", { ...genuine, "webhook-timestamp": String(nowS - 1) }, false],
  ["one that is ten minutes old", headersAt(nowS - 600), false],
  ["one of the future", headersAt(nowS + 600), false],
  ["one without a time", { ...genuine, "webhook-timestamp": "soon" }, false],
  ["one without a signature", { ...genuine, "webhook-signature": "" }, false],
];

function both(first: Record<string, string>, second: Record<string, string>): Record<string, string> {
  return { ...first, "webhook-signature": `${first["webhook-signature"]} ${second["webhook-signature"]}` };
}

/** A program of Go begins with its package and what it imports. */
function wholeOf({ name, rest }: Language): string {
  const code = codeIn(name);
  if (name !== "go") return `${code}\n${rest}\n`;
  return `${code.replace("package webhook", "package main").replace("import (", 'import (\n"encoding/json"\n"fmt"\n"os"')}\n${rest}\n`;
}

const files = testFolder();
afterAll(() => files.remove());

describe.each(LANGUAGES)("The code of the guide in $name", (language) => {
  const isThere = spawnSync(language.program, ["--help"]).error === undefined;
  const test = isThere ? it : it.skip;

  test(`tells genuine requests from others${isThere ? "" : ` (skipped: there is no ${language.program})`}`, () => {
    const file = files.write(language.file, wholeOf(language));
    for (const [what, headers, isGenuine] of ARRIVALS) {
      const input = JSON.stringify({ secret, headers, body });
      const printed = execFileSync(language.program, language.words(file), { input, encoding: "utf8" }).trim();
      expect([what, printed]).toEqual([what, String(isGenuine)]);
    }
  });
});
