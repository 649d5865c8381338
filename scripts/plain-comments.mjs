// Counts comments in the wrong word order, and comment lines that are too wide. docs/maintaining.md#plain-english
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = join(fileURLToPath(import.meta.url), "..", "..");
/** Maximum number of comments in the wrong word order, all in migrations, which never change. It may only fall. */
const TURNED_MAX = 34;
const COLUMNS_MAX = 120;

/** Kind of fault → pattern. The first one is for the first line of a comment. */
const TURNED = {
  "begins turned": /^(What|Who|Whose|Whom|Whoever|That|Of|By|So|There|Behind|Where(?! clause)|How(?! to)) /,
  "has no noun": /(^|[,.:;(] |\b(?:and|as|by|for|from|of|or|to|whether) )(who|whom|whoever|somebody|nobody)\b/i,
  "has no number": /\bso (few|long|many|much)\b(?! as)/,
  "is told": /\b(?:are|be|is|was|were) told\b/,
};

const tracked = execFileSync("git", ["-C", ROOT, "ls-files", "-z", "*.ts", "*.js", "*.mjs", "*.cjs", "*.sql"], {
  encoding: "utf8",
});
// A file that was just deleted is still tracked.
const isRead = (file) => !/(^|\/)(test|lab)\/|generated/.test(file) && existsSync(join(ROOT, file));
const files = tracked.split("\0").filter((file) => file !== "" && isRead(file));
const turned = [];
const wide = [];
for (const file of files) judge(file);

if (turned.length > TURNED_MAX || wide.length > 0) {
  for (const fault of [...wide, ...(turned.length > TURNED_MAX ? turned : [])]) console.log(fault);
  console.log(`${turned.length} comments in the wrong word order, at most ${TURNED_MAX} may be.`);
  process.exitCode = 1;
}

/** Notes the faults of the comments of a file. */
function judge(file) {
  const lines = readFileSync(join(ROOT, file), "utf8").split("\n");
  for (const [index, line] of lines.entries()) {
    const text = textOf(line);
    if (text === undefined) continue;
    const place = `${file}:${index + 1}`;
    if ([...line].length > COLUMNS_MAX && !file.startsWith("database/migrations/"))
      wide.push(`${place}: is wider than ${COLUMNS_MAX} columns`);
    for (const kind of kindsOf(text, !textOf(lines[index - 1] ?? ""))) turned.push(`${place}: ${kind}: ${text}`);
  }
}

/** Kinds of faults in a line of a comment. */
function kindsOf(text, isFirst) {
  const kinds = Object.keys(TURNED).filter((kind) => TURNED[kind].test(text));
  return kinds.filter((kind) => isFirst || kind !== "begins turned");
}

/** Text of a comment line; undefined for a line of code. */
function textOf(line) {
  const found = /^\s*(?:\/\/|\/\*\*?|\*(?!\/)|--)\s?(.*?)\s*(?:\*\/)?$/.exec(line);
  return found?.[1]?.trim();
}
