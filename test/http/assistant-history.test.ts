import { expect, it } from "@jest/globals";
import { LARGE_BODY_BYTES } from "../../config/limits.ts";
import { assistant } from "../support/assistant.ts";
import { describeServer } from "../support/scene.ts";
import { toolWorkspace } from "./assistant-call.ts";

// docs/guides/assistants.md#history
describeServer("The history that assistants get", (scene) => {
  const setUp = () => toolWorkspace(scene);

  it("is that of the REST API, of each kind of thing", async () => {
    const { mcp, rest, deals } = await setUp();
    const person = (await mcp.call("create_person", { fullName: "Grace" })).data;
    const entity = { id: person.id };
    const made = {
      people: person,
      companies: (await mcp.call("create_company", { name: "Navy" })).data,
      [`groups/${deals.groupId}/Deals`]: (await mcp.call("create_object", { ...deals, name: "Ship" })).data,
      notes: (await mcp.call("create_note", { entity, content: "Sea", visibility: "public" })).data,
      tasks: (await mcp.call("create_task", { entity, title: "Call", dueAt: "2031-01-31" })).data,
    };
    for (const [path, { id }] of Object.entries(made)) {
      const { isError, body, items } = await mcp.call("get_history", { id, ...(path.startsWith("groups") && deals) });
      expect([path, isError, body]).toEqual([path, false, (await rest.get(`/v1/${path}/${id}/history`)).body]);
      expect(items).toEqual([expect.objectContaining({ action: "created", source: "assistant" })]);
    }
  });

  it("names the user, the key and the request of each write of an assistant", async () => {
    const { mcp, ada, key } = await setUp();
    const own = await key(ada);
    const assistants = await assistant(scene.server, own.key);
    const { body, data } = await assistants.call("create_person", { fullName: "Grace" });
    const { items } = await mcp.call("get_history", { id: data.id });
    expect(items).toEqual([
      expect.objectContaining({
        source: "assistant",
        user: { id: ada.id, fullName: ada.fullName },
        key: expect.objectContaining({ id: own.id }),
        requestId: (body as { requestId: string }).requestId,
      }),
    ]);
  });

  it("has pages with the cursors of the REST API", async () => {
    const { mcp, rest, ada } = await setUp();
    const { id } = (await rest.post("/v1/people", { fullName: "Grace" })).data;
    for (const jobTitle of ["Ensign", "Captain"]) await rest.patch(`/v1/people/${id}`, { jobTitle });
    const first = await mcp.call("get_history", { id, limit: 2 });
    const link = first.nextLink ?? "";
    const cursor = new URL(link).searchParams.get("cursor");
    // A large message is read in a worker.
    const large = await assistant(scene.server, ada.key, { padding: LARGE_BODY_BYTES });
    for (const one of [mcp, large]) {
      const { body, items } = await one.call("get_history", { id, limit: 2, cursor, groupId: null });
      expect(items.map(({ action }) => action)).toEqual(["created"]);
      expect(body).toEqual((await rest.get(link.slice(scene.server.publicUrl.length))).body);
    }
    const other = (await rest.post("/v1/people", {})).data;
    const refused = await mcp.call("get_history", { id: other.id, cursor });
    expect(refused.error.details?.issues?.[0]?.path).toEqual(["cursor"]);
  });

  it.each([
    ["no id", {}, ["id"], "a person (per_…)"],
    ["an id of a group", { id: `grp_${"0".repeat(36)}` }, ["id"], "an object (obj_…)"],
    ["an id of another length", { id: "per_1" }, ["id"], "40"],
    ["an object without its group", { id: `obj_${"0".repeat(36)}` }, ["groupId"], "Required"],
    ["a group of a person", { id: `per_${"0".repeat(36)}`, groupId: "grp_" }, [], "It takes: id, limit, cursor"],
  ])("refuses %s, and says what would be right", async (_, args, path, words) => {
    const { mcp } = await setUp();
    const { isError, error } = await mcp.call("get_history", args);
    expect([isError, error.code, error.details?.issues?.[0]]).toEqual([
      ...[true, "UNPROCESSABLE_ENTITY"],
      expect.objectContaining({ path, message: expect.stringContaining(words) }),
    ]);
  });
});
