import { describe, expect, it } from "@jest/globals";
import { type Sent, sentReader, statementReader } from "../../../lab/bench/against/messages.ts";

const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f]);
const STARTUP = Buffer.concat([Buffer.from([0, 0, 0, 15, 0, 3, 0, 0]), Buffer.from("user\0a\0")]);

/** A message of a session, with its type and its length. */
function message(type: string, content: string): Buffer {
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeUInt32BE(4 + Buffer.byteLength(content), 1);
  return Buffer.concat([head, Buffer.from(content)]);
}

const query = (sql: string): Buffer => message("Q", `${sql}\0`);

/** How many statements are counted when the bytes arrive in chunks of this size. */
function count(messages: Buffer[], chunkSize = 1_000): number {
  const bytes = Buffer.concat(messages);
  let total = 0;
  const read = statementReader((statements) => {
    total += statements;
  });
  for (let at = 0; at < bytes.length; at += chunkSize) read(bytes.subarray(at, at + chunkSize));
  return total;
}

describe("statements that a client sends to PostgreSQL", () => {
  const extended = [message("P", "s\0select 1\0"), message("B", "\0s\0"), message("E", "\0"), message("S", "")];

  it("are one for each Execute, and not for Parse, Bind and Sync", () => {
    expect(count([STARTUP, ...extended, ...extended])).toBe(2);
  });

  it("are found behind requests for encryption, however the bytes are cut", () => {
    const all = [SSL_REQUEST, STARTUP, ...extended, query("begin"), ...extended, query("commit")];
    for (const size of [1, 2, 3, 7, 1_000]) expect(count(all, size)).toBe(4);
  });

  it("are those of a simple query that semicolons divide, outside of texts, names and comments", () => {
    const texts = [
      ["begin; set local work_mem = '8MB';", 2],
      ["select 'a;b''c;d', \"e;f\" from t", 1],
      ["select 'a\\'; select 2", 2],
      ["do $x$ begin; end; $x$; -- a; b\nselect 1 /* c; d */", 2],
      [" ; ", 0],
    ] as const;
    for (const [sql, statements] of texts) expect([sql, count([STARTUP, query(sql)])]).toEqual([sql, statements]);
  });
});

describe("prepared statements that a client sends", () => {
  /** A Bind with values as texts; null has the length -1. */
  function bind(name: string, values: (string | null)[]): Buffer {
    const parts = values.map((value) => {
      const length = Buffer.alloc(4);
      length.writeInt32BE(value === null ? -1 : Buffer.byteLength(value));
      return Buffer.concat([length, Buffer.from(value ?? "")]);
    });
    const content = Buffer.concat([Buffer.from(`\0${name}\0`), Buffer.from([0, 0, 0, values.length]), ...parts]);
    return message("B", content.toString("latin1"));
  }

  it("are told with their values, also when they were prepared before", () => {
    const sent: Sent[] = [];
    const read = sentReader((statement) => sent.push(statement));
    const all = [STARTUP, message("P", "s\0select $1\0\0\0"), bind("s", ["a"]), bind("s", [null]), message("S", "")];
    read(Buffer.concat(all));
    expect(sent).toEqual([
      { text: "select $1", values: ["a"] },
      { text: "select $1", values: [null] },
    ]);
  });
});
