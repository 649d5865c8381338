import { randomUUID } from "node:crypto";
import { expect, it } from "@jest/globals";
import { tools as offered } from "../../services/gateway/mcp/tools.ts";
import { assistant } from "../support/assistant.ts";
import { describeOwnServer } from "../support/scene.ts";

// docs/guides/assistants.md
describeOwnServer("An assistant, from its greeting to its last refusal", { RATE_LIMITS: "default=40/600" }, (scene) => {
  it("finds a person, makes a company and a deal, logs a meeting, changes a hundred people, and is refused by rights and limits", async () => {
    const workspace = await scene.workspace();
    const { ada } = workspace;
    const bob = await workspace.user("Bob");
    const sales = await workspace.group(ada, { name: "Sales", members: [[bob, "contributor"]] });
    const board = await workspace.group(ada, { name: "Board" });
    await workspace.field(ada, sales, "company", { type: "objectField", name: "Deals" });
    await workspace.field(ada, sales, "person", {
      type: "singleSelect",
      name: "Status",
      options: [{ label: "Lead" }, { label: "Customer" }],
    });
    await workspace.field(ada, sales, "Deals", { type: "numericField", name: "Amount" });
    const rest = scene.api(ada);
    const people = (
      await rest.post("/v1/people/batch/create", {
        records: Array.from({ length: 100 }, (_, i) => ({
          fullName: i === 41 ? "Grace Hopper" : `Person ${i}`,
          groups: [{ id: sales.id }],
        })),
      })
    ).data.results as { data: { id: string } }[];

    // It greets, and asks what it can do.
    const bobs = await assistant(scene.server, bob.key);
    expect(bobs.client.getServerVersion()?.name).toBe("contact-workspace");
    expect(bobs.client.getInstructions()).toContain("get_workspace_structure");
    const { tools } = await bobs.client.listTools();
    expect(tools).toHaveLength(offered.length);

    // It looks around: what it may not see is not there.
    const structure = (await bobs.call("get_workspace_structure")).data as unknown as {
      groups: { id: string; role: string; entityTypes: { name: string; customFields: { name: string }[] }[] }[];
    };
    expect(structure.groups.map(({ id, role }) => [id, role])).toEqual([[sales.id, "contributor"]]);
    expect(structure.groups[0]?.entityTypes).toEqual([
      { name: "person", customFields: [expect.objectContaining({ name: "Status", type: "singleSelect" })] },
      { name: "company", customFields: [{ name: "Deals", type: "objectField" }] },
      { name: "Deals", customFields: [expect.objectContaining({ name: "Amount", type: "numericField" })] },
    ]);

    // It finds a person.
    const found = await bobs.call("search_people", { filter: { fullName: { like: "hopper" } } });
    expect(found.items.map(({ id }) => id)).toEqual([people[41]?.data.id]);
    const graceId = found.items[0]?.id ?? "";

    // It makes a company and a deal; the answer of the first call is lost, and it calls again with the same key.
    const idempotencyKey = randomUUID();
    const company = { name: "Eckert-Mauchly", industry: "Computers", groups: [{ id: sales.id }], idempotencyKey };
    const made = await bobs.call("create_company", company);
    const again = await bobs.call("create_company", company);
    expect(again.body).toEqual(made.body);
    expect((await rest.all("/v1/companies")).map(({ id }) => id)).toEqual([made.data.id]);
    const deal = await bobs.call("create_object", {
      groupId: sales.id,
      objectType: "Deals",
      name: "UNIVAC",
      companies: [{ id: made.data.id }],
      people: [{ id: graceId }],
      customFieldValues: { Amount: 159000 },
    });
    expect(deal.data).toMatchObject({ name: "UNIVAC", customFieldValues: { Amount: "159000" } });

    // A mistake is told so that it can be mended, and the mended call goes through.
    const logged = {
      entity: { id: graceId },
      dateTime: "2026-03-02T10:00:00.000Z",
      title: "Demo",
      content: "Went well.",
    };
    const refused = await bobs.call("log_interaction", { ...logged, activityType: "lecture" });
    expect(refused.isError).toBe(true);
    expect(refused.error).toMatchObject({
      code: "UNPROCESSABLE_ENTITY",
      message: expect.stringContaining("'meeting'"),
      details: { issues: [{ path: ["activityType"] }] },
    });
    expect((await bobs.call("log_interaction", { ...logged, activityType: "meeting" })).isError).toBe(false);
    expect((await bobs.call("list_interactions", { entity: { id: graceId } })).items).toHaveLength(1);

    // It changes a hundred people in one call, which counts as one request, like the request that asks what is left.
    const left = async () => Number((await scene.api(bob).get("/v1/users/me")).headers["x-ratelimit-remaining"]);
    const before = await left();
    const records = people.map(({ data }) => ({
      id: data.id,
      customFieldValues: { [sales.id]: { Status: "Lead" } },
    }));
    const changed = await bobs.call("update_people", { records });
    expect(changed.results).toEqual(records.map(({ id }) => ({ id, status: "succeeded" })));
    expect(await left()).toBe(before - 2);
    const leads = `/v1/people?limit=100&filter[customFieldValues.${sales.id}.Status][in]=Lead`;
    expect((await rest.get(leads)).items).toHaveLength(100);

    // Rights refuse it as they refuse a request.
    const toBoard = await bobs.call("update_person", { personId: graceId, groups: [{ id: board.id }] });
    expect([toBoard.isError, toBoard.error.code]).toEqual([true, "UNPROCESSABLE_ENTITY"]);
    const field = { groupId: sales.id, entityType: "person", type: "textField", name: "Notes" };
    const toAdmins = await bobs.call("create_custom_field", field);
    expect([toAdmins.isError, toAdmins.error.code]).toEqual([true, "FORBIDDEN"]);
    expect((await bobs.call("delete_person", { personId: graceId })).error.message).toContain("No tool deletes");

    // At last its quota is used up, and it is told when to go on.
    const limited = async () => {
      for (let calls = 0; calls <= 40; calls += 1) {
        try {
          await bobs.call("get_current_user");
        } catch (error) {
          return error as Error & { status: number };
        }
      }
      return undefined;
    };
    const { status, message } = (await limited()) ?? {};
    expect([status, message]).toEqual([429, expect.stringMatching(/TOO_MANY_REQUESTS.*Try again in \d+ s/)]);
    await bobs.close();
  });
});
