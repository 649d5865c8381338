import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, jest } from "@jest/globals";
import { Webhook } from "standardwebhooks";
import { freePort } from "../../../lab/harness/free-port.ts";
import { until } from "../../../lab/harness/until.ts";
import type { TestUser } from "../../../lab/harness/world.ts";
import { type Block, blocksOf } from "../../../test/docs/blocks.ts";
import { compareText, type Ran } from "../../../test/docs/run-guide.ts";
import { paginate, unwrap } from "../src/index.ts";
import { type ClientWorld, startClientWorld } from "./client-world.ts";
import { type Consumer, installPacked } from "./packed-client.ts";

jest.setTimeout(120_000);

const ROOT = join(import.meta.dirname, "..", "..", "..");
/** The compiler of the repository, and the one before it, which most users of the client have. */
const COMPILERS = { "TypeScript 7": "node_modules/.bin/tsc", "TypeScript 5": "packages/client/node_modules/.bin/tsc" };

const STRICT = {
  target: "es2022",
  strict: true,
  noEmit: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  allowImportingTsExtensions: true,
};

/** Code of somebody who uses the types. A line behind @ts-expect-error must not compile. */
const TYPED = `
import { createClient, customField, paginate, unwrap, unwrapAnswer, verifyWebhook, type EntryOf } from "contact-workspace-client";
const client = createClient({ baseUrl: "http://localhost:3000", apiKey: "cwk_" });
const person = await unwrap(client.GET("/v1/people/{personId}", { params: { path: { personId: "per_" } } }));
const name: string = person.fullName;
const gender: "Male" | "Female" | "Other" | "Unknown" = person.gender;
for await (const task of paginate(client, "/v1/tasks")) task.title satisfies string;
for await (const deal of paginate(client, "/v1/groups/{groupId}/{objectType}/search", { params: { path: { groupId: "g", objectType: "Deals" } } }))
  deal.name satisfies string;
const users: EntryOf<"/v1/users">[] = [];
const stream = await client.GET("/v1/events", { headers: { Accept: "text/event-stream" }, parseAs: "stream" });
stream.data satisfies ReadableStream | null | undefined;
client.use({ onRequest: ({ request }) => console.log(request.url) });
const status = customField("grp_", "Status");
await client.GET("/v1/people", { params: { query: { filter: { [status]: { in: "Lead" }, jobTitle: { like: "x" } } } } });
const tried = await unwrapAnswer(client.POST("/v1/people", { dryRun: true, body: {} }));
tried.changes satisfies { type: string; data: object }[] | undefined;
await client.PATCH("/v1/people/{personId}", { params: { path: { personId: "per_" } }, ifMatch: tried.etag, body: {} });
const upserted = await unwrapAnswer(client.POST("/v1/people/upsert", { body: { match: ["emails"], record: {} } }));
upserted.operation satisfies "created" | "updated" | "unchanged";
for await (const entry of paginate(client, "/v1/people/{personId}/history", { params: { path: { personId: "per_" } } }))
  entry.source satisfies string;
const event = await verifyWebhook({ secret: "whsec_", headers: new Headers(), body: "" });
event.type satisfies "webhook.test" | EntryOf<"/v1/events">["type"];
console.log(name, gender, users);

// @ts-expect-error there is no such path
await client.GET("/v1/peoples");
// @ts-expect-error the id of the path is lacking
await client.GET("/v1/people/{personId}");
// @ts-expect-error a person has no such field
person.nickname;
// @ts-expect-error emails are a list
await client.POST("/v1/people", { body: { emails: "ada@acme.test" } });
// @ts-expect-error there is no such word
await client.POST("/v1/people", { body: { gender: "female" } });
// @ts-expect-error a text has no such operator
await client.GET("/v1/people", { params: { query: { filter: { jobTitle: { gt: "CEO" } } } } });
// @ts-expect-error people have no such field
await client.GET("/v1/people", { params: { query: { filter: { jobTitel: { eq: "CEO" } } } } });
// @ts-expect-error a reference is named by its id
await client.POST("/v1/people/search", { body: { filter: { groups: { in: "grp_" } } } });
// @ts-expect-error the same in a search
await client.POST("/v1/people/search", { body: { filter: { jobTitel: { eq: "CEO" } } } });
// @ts-expect-error a body has no such member
await client.POST("/v1/people", { body: { fullName: "Ada", nickname: "Countess" } });
// @ts-expect-error no record of a batch has it either
await client.POST("/v1/people/batch/create", { body: { records: [{ fullName: "Ada", nickname: "Countess" }] } });
// @ts-expect-error there is no such parameter
await client.GET("/v1/people", { params: { query: { offset: 20 } } });
// @ts-expect-error a person is no list
paginate(client, "/v1/people/{personId}", { params: { path: { personId: "per_" } } });
// @ts-expect-error a list of members is one of a group
paginate(client, "/v1/groups/{groupId}/members");
// @ts-expect-error notes have no filter
paginate(client, "/v1/notes", { params: { query: { filter: {} } } });
// @ts-expect-error a read has no preview
await client.GET("/v1/people", { dryRun: true });
// @ts-expect-error a create has no condition
await client.POST("/v1/people", { ifMatch: "*", body: {} });
// @ts-expect-error a webhook has no preview
await client.POST("/v1/webhooks/{webhookId}/test", { params: { path: { webhookId: "wbk_" } }, dryRun: true });
// @ts-expect-error there is no such source
await client.POST("/v1/undo", { body: { since: "2026-01-01", source: "nobody" } });
// @ts-expect-error an event is of no such type
event.type === "person.renamed";
`;

let consumer: Consumer;

beforeAll(() => {
  consumer = installPacked();
});
afterAll(() => consumer.remove());

/** Compiles files of the consumer, and gives what the compiler complains of. */
function complaints(compiler: string, files: string[], options: object): string {
  consumer.write("tsconfig.json", JSON.stringify({ compilerOptions: { ...STRICT, ...options }, files }));
  try {
    execFileSync(join(ROOT, compiler), ["--project", consumer.path], { encoding: "utf8" });
    return "";
  } catch (error) {
    return (error as { stdout: string }).stdout;
  }
}

describe("The package", () => {
  it("holds what is built, and nothing of the tests, of other folders or of this machine", () => {
    const built = /^dist\/(cjs\/)?(generated\/)?[a-z-]+\.(js|d\.ts)$/;
    expect(consumer.files.filter((file) => !built.test(file))).toEqual([
      "LICENSE",
      "README.md",
      "dist/cjs/package.json",
      "package.json",
    ]);
    const entries = ["dist/index.js", "dist/index.d.ts", "dist/cjs/index.js", "dist/cjs/index.d.ts"];
    expect(consumer.files).toEqual(expect.arrayContaining(entries));
    for (const file of consumer.files) {
      const text = consumer.read(file);
      expect([file, text.includes(ROOT), text.includes("sourceMappingURL")]).toEqual([file, false, false]);
    }
  });

  it("uses what the web has, and one library", () => {
    const code = consumer.files.filter((file) => /^dist\/(?!cjs).*\.js$/.test(file)).map((file) => consumer.read(file));
    const imported = code.flatMap((text) => [...text.matchAll(/^(?:import|export) [^;]*?from "([^.][^"]*)"/gm)]);
    expect(new Set(imported.map(([, name]) => name))).toEqual(new Set(["openapi-fetch"]));
    expect(code.filter((text) => /\b(process|Buffer|require)\b[.(]/.test(text))).toEqual([]);
  });

  const dom = { lib: ["es2022", "dom", "dom.iterable", "dom.asynciterable"], types: [] };
  it.each([
    ["TypeScript 7", "a bundler, in a browser", { module: "esnext", moduleResolution: "bundler", ...dom }],
    ["TypeScript 7", "Node", { module: "nodenext", lib: ["es2022"], types: ["node"], skipLibCheck: true }],
    ["TypeScript 5", "Node", { module: "nodenext", lib: ["es2022"], types: ["node"], skipLibCheck: true }],
  ] as const)("has types that hold for %s and %s", (compiler, _, options) => {
    consumer.write("typed.ts", TYPED);
    expect(complaints(COMPILERS[compiler], ["typed.ts"], options)).toBe("");
  });

  const web = { lib: ["es2022", "dom", "dom.iterable", "dom.asynciterable"], types: [], skipLibCheck: true };
  it.each([
    ["TypeScript 7", "node20", { module: "node20", moduleResolution: "node16" }],
    ["TypeScript 5", "node16", { module: "node16", moduleResolution: "node16" }],
    ["TypeScript 5", "nodenext", { module: "nodenext" }],
    ["TypeScript 5", "node10", { module: "commonjs", moduleResolution: "node10", esModuleInterop: true }],
  ] as const)("has types that hold for %s in CommonJS (%s)", (compiler, _, options) => {
    // Code with `await` stands in a function, since CommonJS allows it nowhere else.
    const [imports = "", ...lines] = TYPED.trim().split("\n");
    consumer.write("typed.cts", `${imports}\nasync function main() {\n${lines.join("\n")}\n}\nvoid main;\n`);
    expect(complaints(COMPILERS[compiler], ["typed.cts"], { ...options, ...web })).toBe("");
  });

  it("is the same for import and for require, in Node and for bundlers", () => {
    consumer.write(
      "require.cjs",
      'const all = require("contact-workspace-client"); console.log(JSON.stringify([Object.keys(all).sort(), all.createClient({ baseUrl: "http://a.test", apiKey: "x" }).baseUrl]));',
    );
    consumer.write(
      "import.mjs",
      'import * as all from "contact-workspace-client"; console.log(JSON.stringify([Object.keys(all).sort(), all.createClient({ baseUrl: "http://a.test", apiKey: "x" }).baseUrl]));',
    );
    const run = (...args: string[]) =>
      execFileSync(process.execPath, [...args], { cwd: consumer.path, encoding: "utf8" });
    const required = run("require.cjs");
    expect(JSON.parse(required)[1]).toBe("http://a.test");
    for (const args of [["import.mjs"], ["--conditions=browser", "import.mjs"], ["--conditions=deno", "require.cjs"]])
      expect(run(...args)).toBe(required);
  });
});

describe("The README of the package", () => {
  const blocks = () => blocksOf(consumer.read("README.md"));
  const programs = () => blocks().filter(({ language }) => language === "ts");
  let world: ClientWorld;
  let ada: TestUser;
  const started: ChildProcess[] = [];

  beforeAll(async () => {
    world = await startClientWorld({ WEBHOOK_ALLOW: "127.0.0.0/8" });
    const workspace = await world.workspace();
    ({ ada } = workspace);
    const sales = await workspace.group(ada, { name: "Sales" });
    const options = ["Lead", "Customer"].map((label) => ({ label }));
    await workspace.field(ada, sales, "person", { name: "Status", type: "singleSelect", options });
    for (const block of programs()) consumer.write(fileOf(block), block.text);
  });
  afterAll(async () => {
    for (const child of started) child.kill("SIGKILL");
    await world.stop();
  });

  it("has programs, each in a file, what they print, and how the package is installed", () => {
    expect(
      blocks()
        .filter(({ language }) => language === "sh")
        .map(({ text }) => text),
    ).toEqual(["npm install contact-workspace-client\n"]);
    expect(new Set(blocks().map(({ language }) => language))).toEqual(new Set(["sh", "ts", "text"]));
    expect(new Set(programs().map(fileOf)).size).toBe(programs().length);
  });

  it("has programs that compile", () => {
    const options = { module: "nodenext", lib: ["es2023"], types: ["node"], skipLibCheck: true };
    expect(complaints(COMPILERS["TypeScript 7"], programs().map(fileOf), options)).toBe("");
  });

  it("has programs that print what it says, in their order", async () => {
    let ran: Ran | undefined;
    for (const block of blocks()) {
      if (block.language === "ts") ran = isReceiver(block) ? undefined : await runToEnd(fileOf(block));
      else if (ran) compareText(block.text, ran);
    }
    expect(blocks().filter(({ language }) => language === "text").length).toBeGreaterThan(5);
  });

  it("has a receiver that takes what the server sends and refuses what others do", async () => {
    const port = await freePort();
    const env = { RECEIVER_URL: `http://127.0.0.1:${port}/contacts` };
    const secret = (await run("make-webhook.ts", env)).out.trim();
    const receiver = start("receiver.ts", { WEBHOOK_SECRETS: `whsec_b2xk,${secret}`, PORT: String(port) });
    const client = world.clientOf(ada);
    for await (const { id, targetUrl } of paginate(client, "/v1/webhooks")) {
      if (targetUrl !== env.RECEIVER_URL) continue;
      await until("the receiver listens", () => fetch(env.RECEIVER_URL).then(({ status }) => status === 401));
      await unwrap(client.POST("/v1/webhooks/{webhookId}/test", { params: { path: { webhookId: id } } }));
      await until("the test has arrived", () => receiver.out.includes(`webhook.test ${id}`));
      expect(receiver.out).toContain("refused: missing-header");
    }
    const forged = await fetch(env.RECEIVER_URL, {
      method: "POST",
      headers: signed("whsec_YW5vdGhlcg=="),
      body: EVENT,
    });
    expect(forged.status).toBe(401);
    expect(receiver.err).toBe("");
  });

  it("has a handler that does the same", async () => {
    const secret = "whsec_c2VjcmV0IG9mIHRoZSBoYW5kbGVy";
    const call = (headers: object) =>
      `handler.fetch(new Request("http://localhost", { method: "POST", headers: ${JSON.stringify(headers)}, body: ${JSON.stringify(EVENT)} }))`;
    const lines = [signed(secret), signed("whsec_YW5vdGhlcg==")].map(
      (headers) => `console.log((await ${call(headers)}).status);`,
    );
    consumer.write("call-handler.ts", ['import handler from "./handler.ts";', ...lines].join("\n"));
    const { out, err } = await run("call-handler.ts", { WEBHOOK_SECRETS: secret });
    expect([out, err]).toEqual(["person.created per_1\n204\n401\n", ""]);
  });

  const EVENT = JSON.stringify({
    id: "evt_1",
    type: "person.created",
    createdAt: "",
    source: "",
    data: { id: "per_1", url: "" },
  });

  function signed(secret: string): Record<string, string> {
    const now = new Date();
    return {
      "webhook-id": "evt_1",
      "webhook-timestamp": String(Math.floor(now.getTime() / 1000)),
      "webhook-signature": new Webhook(secret).sign("evt_1", now, EVENT),
    };
  }

  interface Running extends Ran {
    ended: Promise<number>;
  }

  function start(file: string, env: Record<string, string> = {}): Running {
    const url = { CONTACT_WORKSPACE_URL: world.proxy.url, CONTACT_WORKSPACE_KEY: ada.key };
    const child = spawn(process.execPath, [file], { cwd: consumer.path, env: { ...process.env, ...url, ...env } });
    started.push(child);
    const ended = new Promise<number>((resolve) => child.on("close", (code) => resolve(code ?? -1)));
    const running: Running = { code: -1, out: "", err: "", ended };
    child.stdout.on("data", (data: Buffer) => {
      running.out += data.toString();
    });
    child.stderr.on("data", (data: Buffer) => {
      running.err += data.toString();
    });
    return running;
  }

  async function runToEnd(file: string): Promise<Ran> {
    const ran = await run(file);
    expect({ file, ...ran }).toEqual({ file, code: 0, out: expect.any(String), err: "" });
    return ran;
  }

  async function run(file: string, env: Record<string, string> = {}): Promise<Ran> {
    const running = start(file, env);
    const code = await running.ended;
    return { code, out: running.out, err: running.err };
  }
});

function fileOf({ words, line }: Block): string {
  const name = words.find((word) => word.startsWith("file="))?.slice("file=".length);
  if (!name) throw new Error(`README.md:${line}: the program has no file=`);
  return name;
}

/** Receivers listen until they are ended. */
function isReceiver(block: Block): boolean {
  return block.text.includes(".listen(");
}
