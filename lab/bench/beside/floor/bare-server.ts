// The floor in Node: node:http, and pg with many statements on their way. It checks no key, counts no limit, validates
// nothing and makes no text of a record.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import pg from "pg";
import { settingsSql } from "../../../../database/session.ts";
import { PLAN_ONCE } from "../../../../database/statement.ts";
import type { Sent } from "../../against/messages.ts";
import type { Known } from "./stored.ts";

const { PORT, KNOWN = "" } = process.env;
const { headers, ways }: Known = JSON.parse(readFileSync(KNOWN, "utf8"));
const prepared = new Map(Object.entries(ways).map(([path, way]) => [path, { ...way, steps: way.steps.map(named) }]));

// The variables of libpq tell where the database is.
const client = new pg.Client({ pipeline: true } as pg.ClientConfig);
await client.connect();
await client.query(settingsSql(PLAN_ONCE));
const server = createServer(({ url = "" }, response) => {
  // A failure ends the process, which is measured no further then.
  void answer(url).then((body) => {
    response.writeHead(200, { ...headers, "content-length": Buffer.byteLength(body) });
    response.end(body);
  });
});
server.listen(Number(PORT), "127.0.0.1", () => console.log(`ready ${PORT}`));

async function answer(url: string): Promise<string> {
  const way = prepared.get(url);
  if (!way) throw new Error(`Nothing is known of ${url}`);
  let rows: unknown[][] = [];
  for (const step of way.steps) ({ rows } = await client.query<unknown[]>(step));
  return way.body ?? `${way.head}${rows.map(([text]) => text).join(",")}${way.tail}`;
}

/** A statement under a name, whose rows come as texts. */
function named({ text, values }: Sent): pg.QueryArrayConfig {
  const name = createHash("sha1").update(text).digest("hex");
  return { name, text, values, rowMode: "array", types: { getTypeParser: () => (value: string) => value } };
}
