import { randomUUID } from "node:crypto";
import { expect, it } from "@jest/globals";
import { LARGE_BODY_BYTES } from "../../config/limits.ts";
import type { ToolAnswer } from "../support/assistant.ts";
import { describeServer } from "../support/scene.ts";
import { ACCEPT, call, toolWorkspace } from "./assistant-call.ts";

// docs/guides/assistants.md#arguments
describeServer("The arguments of tools", (scene) => {
  const setUp = () => toolWorkspace(scene);

  it("say where a mistake is, by the names of the arguments", async () => {
    const { mcp, deals } = await setUp();
    const issues = async (tool: string, args: object) => {
      const { error } = await mcp.call(tool, args);
      return error.details?.issues?.map(({ code, path, ...more }) => [
        code,
        path.join("."),
        ...[Reflect.get(more, "keys") ?? []].flat(),
      ]);
    };
    expect(await issues("create_person", { gender: "X", surprise: 1 })).toEqual([
      ["invalid_enum_value", "gender"],
      ["unrecognized_keys", "", "surprise"],
    ]);
    expect(await issues("get_person", {})).toEqual([["invalid_type", "personId"]]);
    expect(await issues("get_person", { personId: "per_1", limit: 1 })).toEqual([
      ["too_small", "personId"],
      ["unrecognized_keys", "", "limit"],
    ]);
    expect(await issues("get_object", { ...deals, objectType: 12345678901234567890n.toString() })).toEqual([
      ["invalid_type", "objectId"],
    ]);
    expect(await issues("search_people", { limit: 0 })).toEqual([["too_small", "limit"]]);
    expect(await issues("search_people", { cursor: "nonsense" })).toEqual([["custom", "cursor"]]);
    expect(await issues("list_interactions", { entity: { id: "x", name: "y" } })).toEqual([
      ["too_small", "entity.id"],
      ["unrecognized_keys", "entity", "name"],
    ]);
    expect(await issues("list_tasks", { filter: { dueAt: "2031-01-01" } })).toEqual([["invalid_type", "filter.dueAt"]]);
    expect(await issues("list_tasks", { filter: { dueAt: { gt: null } } })).toEqual([["custom", "filter.dueAt"]]);
    expect(await issues("get_current_user", { idempotencyKey: "k" })).toEqual([
      ["unrecognized_keys", "", "idempotencyKey"],
    ]);
    const field = { groupId: deals.groupId, entityType: "person", name: "F", type: "nothing" };
    expect(await issues("create_custom_field", field)).toEqual([["invalid_enum_value", "type"]]);
  });

  it("name in a refusal what would be right", async () => {
    const { mcp, deals } = await setUp();
    const messages = async (tool: string, args: unknown) => {
      const { structuredContent } = await mcp.client.callTool({
        name: tool,
        arguments: args as Record<string, unknown>,
      });
      const { error } = structuredContent as { error: ToolAnswer["error"] };
      return error.details?.issues?.map(({ path, message }) => `${path.join(".")}: ${message}`).join("\n");
    };
    expect(await messages("get_person", { person: "x" })).toContain(
      "'person'. Did you mean 'personId'? It takes: personId",
    );
    expect(await messages("get_current_user", { id: "x" })).toContain("'id'. It takes none");
    expect(await messages("create_people", { records: [{ name: "Ada" }] })).toMatch(/^records.0: .*'name'.* fullName,/);
    expect(await messages("create_object", { ...deals, name: "x", companies: [{ name: "y" }] })).toMatch(
      /companies.0: .*'name'. It takes: id/,
    );
    expect(await messages("search_people", { filter: { name: { eq: "x" } } })).toContain("fullName");
    expect(await messages("search_people", { filter: { gender: { is: "x" } } })).toContain("not_eq");
    expect(await messages("search_people", { filter: { birthday: { eq: null } } })).toContain("true for empty");
    expect(await messages("search_people", { limit: "20" })).toBe("limit: Expected integer, received string");
    expect(await messages("search_people", ["x"])).toBe(": Expected object, received array");
    expect(await messages("search_people", "x")).toBe(": Expected object, received string");
    expect(await messages("create_object", { ...deals, name: "x", customFieldValues: { Size: 1 } })).toContain("Size");
  });

  // docs/guides/assistants.md#arguments
  it("take null for an argument that is not sent, wherever null has no meaning of its own", async () => {
    const { mcp, rest, group, deals } = await setUp();
    await rest.post(`/v1/groups/${group.id}/custom-fields/person`, { type: "textField", name: "filter" });
    await rest.post(`/v1/groups/${group.id}/custom-fields/person`, { type: "userField", name: "Owner" });
    const me = (await mcp.call("get_current_user")).data;
    const idempotencyKey = null;
    const groups = [{ id: group.id }];
    const values = { filter: "kept", Owner: [{ id: me.id, email: null }] };
    const made = await mcp.call("create_person", {
      firstName: "Ada",
      lastName: null,
      emails: null,
      companies: [{ id: null, name: "Engines" }],
      groups,
      customFieldValues: { [group.id]: values, [`grp_${randomUUID()}`]: null },
      idempotencyKey,
    });
    expect(made.data).toMatchObject({ lastName: "", companies: [{ name: "Engines" }], emails: [] });
    expect(made.data.customFieldValues).toMatchObject({ [group.id]: { filter: "kept", Owner: [{ id: me.id }] } });
    const personId = made.data.id;
    const birthday = "1815-12-10";
    await mcp.call("update_person", { personId, birthday, jobTitle: "Analyst" });
    // Null clears a value, and a text that cannot be null stays as it is.
    const changed = await mcp.call("update_person", {
      personId,
      birthday: null,
      jobTitle: null,
      groups: null,
      customFieldValues: { [group.id]: { filter: null } },
    });
    expect(changed.data).toMatchObject({ birthday: null, jobTitle: "Analyst", groups });
    expect(changed.data.customFieldValues).toMatchObject({ [group.id]: { filter: null } });
    const records = [{ id: personId, firstName: null, groups: null, customFieldValues: { [group.id]: null } }];
    expect((await mcp.call("update_people", { records, idempotencyKey })).results).toEqual([
      { id: personId, status: "succeeded" },
    ]);
    const made2 = await mcp.call("create_people", { records: [{ firstName: "Bob", groups: null, companies: null }] });
    expect(made2.results).toMatchObject([{ status: "succeeded" }]);
    const lists: [tool: string, args: object, count: number][] = [
      ["search_people", { filter: null, combinator: null, cursor: null, limit: null }, 2],
      ["search_people", { cursor: "", filter: { firstName: { eq: "Bob" }, jobTitle: null } }, 1],
      ["search_people", { filter: { createdBy: { in: { id: [me.id], email: null } } } }, 2],
      ["search_objects", { ...deals, filter: null, cursor: "" }, 0],
      ["list_notes", { entity: { id: null }, query: null, createdAfter: null }, 0],
      ["list_interactions", { entity: null, user: { id: null }, importedTypes: null, timeframe: null }, 0],
      ["list_tasks", { onlyAssignedToMe: null, filter: null }, 0],
      ["list_groups", { visibility: null }, 1],
    ];
    for (const [tool, args, count] of lists)
      expect([tool, (await mcp.call(tool, args)).items.length]).toEqual([tool, count]);
    const entity = { id: personId };
    const note = { entity, content: "x", visibility: "public", parentNote: { id: null } };
    expect((await mcp.call("create_note", note)).data.parentNote).toBeNull();
    const task = { entity, title: "Call", dueAt: "2031-01-31", dueTime: null, assignedUsers: null, completedAt: null };
    const { id: taskId } = (await mcp.call("create_task", task)).data;
    expect((await mcp.call("set_task_done", { taskId, done: true, completedAt: null })).isError).toBe(false);
    const refused: [tool: string, args: object, path: string][] = [
      ["get_person", { personId: null }, "personId"],
      ["create_note", { ...note, entity: { id: null } }, "entity.id"],
      ["create_person", { emails: [null] }, "emails.0"],
      ["create_person", { surprise: null }, ""],
    ];
    for (const [tool, args, path] of refused) {
      const { error } = await mcp.call(tool, args);
      expect([tool, error.details?.issues?.[0]?.path.join(".")]).toEqual([tool, path]);
    }
  });

  it.each([0, LARGE_BODY_BYTES])(
    "refuse names like __proto__ as all others, with %i blanks behind",
    async (padding) => {
      const { ada, rest, deals } = await setUp();
      const send = async (name: string, args: string) => {
        const text = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":${args}}}`;
        const answer = await fetch(`${scene.server.base}/mcp`, {
          method: "POST",
          headers: { Authorization: `Bearer ${ada.key}`, "Content-Type": "application/json", Accept: ACCEPT },
          body: text + " ".repeat(padding),
        });
        const { result } = (await answer.json()) as { result: { structuredContent: { error?: ToolAnswer["error"] } } };
        return result.structuredContent.error;
      };
      const type = `"groupId":"${deals.groupId}","objectType":"Deals","name":"x"`;
      const calls: [tool: string, args: string, path: string][] = [
        ["create_person", '{"__proto__":{"firstName":"x"}}', ""],
        ["create_person", '{"firstName":"x","constructor":null}', ""],
        ["create_person", '{"firstName":"x","prototype":1}', ""],
        ["get_current_user", '{"__proto__":null}', ""],
        ["create_people", '{"records":[{"firstName":"x","__proto__":{}}]}', "records.0"],
        ["create_people", '{"records":[{"firstName":"x"}],"__proto__":[]}', ""],
        ["create_person", '{"companies":[{"name":"x","__proto__":1}]}', "companies.0"],
        ["list_notes", '{"entity":{"__proto__":{"id":"x"}}}', "entity"],
        ["search_people", '{"filter":{"__proto__":{"eq":"x"}}}', "filter.__proto__"],
        ["create_object", `{${type},"customFieldValues":{"__proto__":1}}`, "customFieldValues.__proto__"],
        ["create_person", '{"customFieldValues":{"__proto__":{"x":1}}}', "customFieldValues.__proto__"],
      ];
      for (const [tool, args, path] of calls) {
        const error = await send(tool, args);
        expect([args, error?.code, error?.details?.issues?.map((issue) => issue.path.join("."))]).toEqual([
          args,
          "UNPROCESSABLE_ENTITY",
          expect.arrayContaining([path]),
        ]);
      }
      await rest.post(`/v1/groups/${deals.groupId}/custom-fields/Deals`, { type: "textField", name: "__proto__" });
      expect(await send("create_object", `{${type},"customFieldValues":{"__proto__":"kept"}}`)).toBeUndefined();
      const [made] = await rest.all(`/v1/groups/${deals.groupId}/Deals`);
      expect(JSON.stringify(made?.customFieldValues)).toContain('"__proto__":"kept"');
    },
  );

  it("keep numbers exact", async () => {
    const { mcp, ada, deals } = await setUp();
    const Amount = "12345678901234567890.1234567891";
    const send = async (json: string) => {
      const answer = await fetch(`${scene.server.base}/mcp`, {
        method: "POST",
        headers: { Authorization: `Bearer ${ada.key}`, "Content-Type": "application/json", Accept: ACCEPT },
        body: json,
      });
      return ((await answer.json()) as { result: { structuredContent: { data: object } } }).result.structuredContent
        .data;
    };
    const text = JSON.stringify(call("create_object", { ...deals, name: "Large", customFieldValues: { Amount: 0 } }));
    expect(await send(text.replace('"Amount":0', `"Amount":${Amount}`))).toMatchObject({
      customFieldValues: { Amount },
    });
    const asType = JSON.stringify(call("search_objects", { ...deals, objectType: "@" })).replace('"@"', Amount);
    expect(await send(asType)).toBeUndefined();
    expect((await mcp.call("search_objects", deals)).items).toHaveLength(1);
  });
});
