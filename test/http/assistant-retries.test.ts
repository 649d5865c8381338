import { randomUUID } from "node:crypto";
import { expect, it } from "@jest/globals";
import { LARGE_BODY_BYTES } from "../../config/limits.ts";
import { assistant } from "../support/assistant.ts";
import { describeServer } from "../support/scene.ts";
import { toolWorkspace } from "./assistant-call.ts";

// docs/guides/assistants.md#retries
describeServer("Calls of tools that are sent again", (scene) => {
  const setUp = () => toolWorkspace(scene);

  it("have the same key for a call whether an argument is null or not sent", async () => {
    const { ada, mcp } = await setUp();
    const idempotencyKey = randomUUID();
    const first = await mcp.call("create_person", { firstName: "Ada", lastName: null, idempotencyKey });
    expect((await mcp.call("create_person", { firstName: "Ada", idempotencyKey })).body).toEqual(first.body);
    const large = await assistant(scene.server, ada.key, { padding: LARGE_BODY_BYTES });
    expect((await large.call("create_person", { firstName: "Ada", emails: null, idempotencyKey })).body).toEqual(
      first.body,
    );
  });

  it("take effect once under an idempotencyKey, and answer the same again", async () => {
    const { mcp, rest } = await setUp();
    const idempotencyKey = randomUUID();
    const args = { firstName: "Once", emails: ["once@example.com"], idempotencyKey };
    const [first, ...again] = await Promise.all([1, 2, 3].map(() => mcp.call("create_person", args)));
    for (const answer of again)
      expect(answer.isError ? answer.error.code : answer.body).toEqual(
        answer.isError ? "IDEMPOTENCY_REQUEST_IN_PROGRESS" : first?.body,
      );
    expect(await rest.all("/v1/people")).toHaveLength(1);
    const later = await mcp.call("create_person", args);
    expect([later.isError, later.data]).toEqual([false, (await rest.all("/v1/people"))[0]]);
    const other = await mcp.call("create_person", { ...args, firstName: "Other" });
    expect([other.isError, other.error.code]).toEqual([true, "IDEMPOTENCY_KEY_REUSED"]);
    const otherTool = await mcp.call("create_company", { name: "Once", idempotencyKey });
    expect(otherTool.error.code).toBe("IDEMPOTENCY_KEY_REUSED");
    for (const wrong of ["", "a b", "k".repeat(256), 1, {}])
      expect((await mcp.call("create_person", { idempotencyKey: wrong })).error.code).toBe("IDEMPOTENCY_KEY_INVALID");
    expect(await rest.all("/v1/people")).toHaveLength(1);
  });

  it("repeat a refusal and a bulk answer under the same idempotencyKey", async () => {
    const { mcp, deals } = await setUp();
    const refused = { ...deals, name: "x", companies: [{ id: `com_${randomUUID()}` }], idempotencyKey: randomUUID() };
    const first = await mcp.call("create_object", refused);
    expect(first.isError).toBe(true);
    expect(await mcp.call("create_object", refused).then(({ isError, body }) => ({ isError, body }))).toEqual({
      isError: true,
      body: first.body,
    });
    const records = [{ firstName: "A" }, { customFieldValues: { nowhere: {} } }];
    const bulk = { records, idempotencyKey: randomUUID() };
    expect((await mcp.call("create_people", bulk)).body).toEqual((await mcp.call("create_people", bulk)).body);
    expect((await mcp.call("search_people")).items).toHaveLength(1);
  });

  it("have keys apart from those of requests: use across is refused", async () => {
    const { mcp, rest } = await setUp();
    const [ofRequest, ofCall] = [randomUUID(), randomUUID()];
    await rest.post("/v1/people", { firstName: "A" }, { "Idempotency-Key": ofRequest });
    await mcp.call("create_person", { firstName: "A", idempotencyKey: ofCall });
    expect((await mcp.call("create_person", { firstName: "A", idempotencyKey: ofRequest })).error.code).toBe(
      "IDEMPOTENCY_KEY_REUSED",
    );
    const { error } = await rest.post("/v1/people", { firstName: "A" }, { "Idempotency-Key": ofCall });
    expect(error.code).toBe("IDEMPOTENCY_KEY_REUSED");
    expect(await rest.all("/v1/people")).toHaveLength(2);
  });
});
