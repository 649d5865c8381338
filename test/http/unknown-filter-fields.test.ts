import { expect, it } from "@jest/globals";
import { describeServer } from "../support/scene.ts";

// docs/guides/filters.md#unknown-fields-and-operators
describeServer("A filter by a field that there is not", (scene) => {
  const message = (body: unknown) =>
    (body as { error: { details: { issues: { message: string; path: string[] }[] } } }).error.details.issues.map(
      (issue) => issue.message,
    );

  it("is answered with the fields that there are, custom ones by the form of their names", async () => {
    const { ada } = await scene.workspace();
    const { status, body } = await scene.api(ada).get("/v1/people?filter[nickname][eq]=Ada");
    expect(status).toBe(422);
    expect(message(body)).toEqual([
      expect.stringMatching(
        /^There is no field "nickname" to filter by\. There are: firstName, lastName, .*emails, .*interactionMetadata\.user\.lastInteractedAt, customFieldValues\.<group id>\.<field name>$/,
      ),
    ]);
    expect(message(body)[0]).not.toContain("strongestConnection");
  });

  it("is answered with the custom fields of the group that is named, to those who see it, and not with all of hundreds", async () => {
    const workspace = await scene.workspace();
    const { ada } = workspace;
    const eve = await workspace.user("Eve");
    const group = await workspace.group(ada);
    const ask = async (user: typeof ada, name: string) =>
      message((await scene.api(user).get(`/v1/people?filter[customFieldValues.${name}][eq]=x`)).body)[0];
    const refusal = (name: string, rest: string) =>
      `There is no field "customFieldValues.${name}" to filter by. ${rest}`;
    expect(await ask(ada, `${group.id}.Statuss`)).toBe(
      refusal(`${group.id}.Statuss`, "The group has no custom fields"),
    );
    for (let i = 0; i < 22; i += 1) await workspace.field(ada, group, "person", { name: `F${i}`, type: "textField" });
    expect(await ask(ada, `${group.id}.Statuss`)).toBe(
      refusal(
        `${group.id}.Statuss`,
        `The group has: ${Array.from({ length: 20 }, (_, i) => `F${i}`).join(", ")} and 2 more`,
      ),
    );
    const form =
      "The name of a custom field is customFieldValues.<group id>.<field name>, with the id of a group that you can see";
    expect(await ask(eve, `${group.id}.F1`)).toBe(refusal(`${group.id}.F1`, form));
    expect(await ask(ada, "Status")).toBe(refusal("Status", form));
  });

  it("is answered so by lists of other things, too", async () => {
    const workspace = await scene.workspace();
    const { ada } = workspace;
    const tasks = await scene.api(ada).get("/v1/tasks?filter[due][gt]=2026-01-01");
    expect(message(tasks.body)).toEqual([
      'There is no field "due" to filter by. There are: dueAt, createdAt, assigneeUserId, entity, completedAt',
    ]);
    const group = await workspace.group(ada);
    await workspace.field(ada, group, "person", { name: "Deals", type: "objectField" });
    await workspace.field(ada, group, "Deals", { name: "Amount", type: "numericField" });
    const deals = await scene.api(ada).post(`/v1/groups/${group.id}/Deals/search`, {
      filter: { "customFieldValues.Sum": { gt: 1 }, title: { eq: "x" } },
    });
    expect(message(deals.body)).toEqual([
      'There is no field "customFieldValues.Sum" to filter by. The group has: Amount',
      expect.stringMatching(/There are: name, .*customFieldValues\.<field name>$/),
    ]);
  });
});
