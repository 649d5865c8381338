import { afterEach, beforeEach, expect, it } from "@jest/globals";
import { createWorkers, type Workers } from "../../../../services/gateway/body-worker/workers.ts";

let workers: Workers;

beforeEach(() => {
  workers = createWorkers();
});
afterEach(() => workers.stop());

const schema = JSON.stringify({ type: "object", properties: { body: {} } });
const read = (bytes: Uint8Array) =>
  workers.run("readBody", { bytes, schema, params: {}, claimed: undefined }, { workspaceId: "w" });
const readText = (text: string) => read(Buffer.from(text));

it("what is thrown in a worker reaches whoever asked, and the next is served", async () => {
  await expect(read("no bytes" as never)).rejects.toMatchObject({ name: "TypeError" });
  expect(await readText('{"a":1}')).toEqual({ pieces: [{ path: [], text: '{"a":1}' }], fingerprint: undefined });
});

it("what a worker holds when it is stopped is 503, and a new one serves the next", async () => {
  await readText("{}");
  const long = readText(`[${Array(200_000).fill('{"a":1}').join()}]`);
  const refused = expect(long).rejects.toMatchObject({ type: "SERVICE_UNAVAILABLE" });
  await workers.stop();
  await refused;
  expect(await readText("{}")).toMatchObject({ pieces: [{ text: "{}" }] });
});

it("more than may wait are 503 at once, and the others are served", async () => {
  const all = await Promise.allSettled(Array.from({ length: 110 }, () => readText("{}")));
  const refused = all.filter(({ status }) => status === "rejected");
  expect(refused.length).toBeGreaterThan(0);
  expect(refused.length).toBeLessThan(11);
  for (const one of refused) expect(one).toMatchObject({ reason: { type: "SERVICE_UNAVAILABLE" } });
});

it("a body that takes more memory than a worker has is 413, and the process lives on", async () => {
  // Many small values: Node can end a worker whose memory runs out, but not one that asks for much at once, like a
  // table of names.
  const list = `[${Array(50).fill('{"a":1.5}').join()}]`;
  const bytes = Buffer.from(`{"a":[${Array(4800).fill(list).join()}]}`);
  const small = createWorkers(24);
  const task = { bytes, schema, params: {}, claimed: undefined };
  const turn = { workspaceId: "w" };
  await expect(small.run("readBody", task, turn)).rejects.toMatchObject({ type: "PAYLOAD_TOO_LARGE" });
  expect(await small.run("readBody", { ...task, bytes: Buffer.from("{}") }, turn)).toHaveProperty("pieces");
  await small.stop();
});
