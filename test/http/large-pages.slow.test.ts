import { expect, it } from "@jest/globals";
import { PAGE_LENGTH_MAX } from "../../config/limits.ts";
import type { Answer, Client } from "../support/client.ts";
import { seedDefinitions } from "../support/definitions.ts";
import { describeServer } from "../support/scene.ts";

const COUNT = 60;
const LONG = "word ".repeat(20_000).trimEnd();

// docs/guides/lists.md#pages
describeServer("Pages of long entries", (scene) => {
  /** The entries of a walk, page by page. */
  async function walk(api: Client, first: string): Promise<Record<string, unknown>[][]> {
    const pages: Record<string, unknown>[][] = [];
    for (let path: string | undefined = first; path !== undefined; ) {
      const answer: Answer = await api.get(path);
      expect(answer.status).toBe(200);
      expect(answer.text.length).toBeLessThan(PAGE_LENGTH_MAX + 1000);
      pages.push(answer.items);
      path = answer.nextLink?.slice(scene.server.publicUrl.length);
    }
    return pages;
  }

  /** A list gives each entry once, the first time and when it is known that its entries are long. */
  async function expectWhole(
    api: Client,
    path: string,
    names: unknown[],
    nameOf: (entry: Record<string, unknown>) => unknown,
  ) {
    for (const _ of ["first", "known"]) {
      const pages = await walk(api, path);
      expect(pages.length).toBeGreaterThan(1);
      expect(pages.every((page) => page.length > 0)).toBe(true);
      expect({ path, names: pages.flat().map(nameOf) }).toEqual({ path, names });
    }
  }

  const contentOf = (i: number) => (i % 4 === 0 ? `short ${i} word` : `${i} ${LONG.slice(0, 99_000 - i)}`);

  it("end early for notes, by record and by words too", async () => {
    const { ada } = await scene.workspace();
    const api = scene.patientApi(ada);
    const person = (await api.post("/v1/people", { fullName: "Ada" })).data;
    for (let i = 0; i < COUNT; i++)
      await api.post("/v1/notes", { entity: { id: person.id }, content: contentOf(i), visibility: "public" });
    const names = Array.from({ length: COUNT }, (_, i) => contentOf(i).length);
    const length = ({ content }: Record<string, unknown>) => String(content).length;
    await expectWhole(api, "/v1/notes?limit=100", names, length);
    await expectWhole(api, `/v1/notes?limit=100&entity.id=${person.id}`, names, length);
    await expectWhole(api, "/v1/notes?limit=100&query=word", names, length);
  });

  it("end early for interactions, whose newest comes first", async () => {
    const { ada } = await scene.workspace();
    const api = scene.patientApi(ada);
    const person = (await api.post("/v1/people", { fullName: "Ada" })).data;
    for (let i = 0; i < COUNT; i++) {
      const dateTime = new Date(Date.UTC(2026, 0, 1, 0, i)).toISOString();
      await api.post("/v1/interactions", {
        entity: { id: person.id },
        dateTime,
        title: `T${i}`,
        content: contentOf(i),
        activityType: "meeting",
      });
    }
    const names = Array.from({ length: COUNT }, (_, i) => `T${COUNT - 1 - i}`);
    await expectWhole(api, "/v1/interactions?limit=100", names, ({ title }) => title);
    await expectWhole(api, `/v1/interactions?limit=100&entity.id=${person.id}`, names, ({ title }) => title);
  });

  it("end early for custom fields with many long options", async () => {
    const workspace = await scene.workspace();
    const api = scene.patientApi(workspace.ada);
    const group = await workspace.group(workspace.ada);
    const path = `/v1/groups/${group.id}/custom-fields/person`;
    const names = ["A", "B", "C"];
    for (const name of names) {
      await api.post(path, { type: "singleSelect", name, options: [{ label: "First" }] });
      const [field] = await scene.server.database.read<{ id: string }>(
        "select id from custom_fields where workspace_id = $1 and name = $2",
        [workspace.uuid, name],
      );
      await seedDefinitions(scene.server.database, workspace.uuid, "options", 4999, field?.id);
    }
    await scene.server.database.read(
      "update custom_field_options set label = rpad(label, 500, '.') where workspace_id = $1 and label like 'Label%'",
      [workspace.uuid],
    );
    // A change lets every process read the definitions anew.
    await api.patch(`${path}/A`, { addOptions: [{ label: "Last" }] });
    await expectWhole(api, `${path}?limit=100`, names, ({ name }) => name);
  });
});
