import { expect, it } from "@jest/globals";
import { until } from "../../lab/harness/until.ts";
import { describeServer } from "../support/scene.ts";
import { createAll } from "./counting.ts";
import { fieldsOf, order, searched, untilFound } from "./searching.ts";

const DAY = { dueAt: "2031-01-31" };

describeServer("Words of a search over everything", (scene) => {
  async function setUp() {
    const workspace = await scene.workspace();
    const api = scene.patientApi(workspace.ada);
    const made = async (path: string, body: object) => (await api.post(path, body)).data;
    const people = (...names: string[]) =>
      createAll(
        api,
        "/v1/people",
        names.map((fullName) => ({ fullName })),
      );
    return { ...workspace, api, made, people };
  }

  // docs/guides/search.md#words
  it("are found whatever letter case and accents they have, in any script", async () => {
    const { api, people } = await setUp();
    const queries: Record<string, string[]> = {
      "Élodie Ångström": ["elodie", "ANGSTROM", "E\u0301lodie A\u030Angstro\u0308m", "ÉLODIÉ"],
      "Søren Weiß": ["soren weiss", "SØREN WEISS", "WEIẞ"],
      "Łukasz Đorđe": ["lukasz dorde", "ŁUKASZ"],
      "Æsa Œrsted": ["aesa oersted"],
      "Işıl İnönü": ["isil inonu", "IŞIL", "ışıl inönü"],
      "Οδυσσεύς Ελύτης": ["ΟΔΥΣΣΕΥΣ", "ελυτησ", "ελύτης"],
      "Семён Королёв": ["семен", "КОРОЛЕВ"],
      "محمد الخوارزمي": ["مُحَمَّد", "الخوارزمى".slice(0, 6)],
      "नरेन्द्र कुमार": ["नरेन्द्र", "कुमा"],
      "สมชาย ใจดี": ["สมชาย", "ใจดี", "ชาย"],
      "김철수 박": ["김철수", "김", "김철수".normalize("NFD")],
      山田太郎: ["山田", "太郎", "田太", "山"],
      ガンダム: ["ｶﾞﾝﾀﾞﾑ", "ガン", "ガンダム".normalize("NFD")],
      "Ａｄａ Ｗｉｄｅ": ["wide ada"],
    };
    const ids = await people(...Object.keys(queries));
    for (const [i, asked] of Object.values(queries).entries())
      for (const q of asked) await untilFound(api, q, [{ id: ids[i] ?? "" }]);
    // Marks that carry letters count.
    for (const q of ["कमा", "สชย", "カン", "ยใจ"]) expect([q, await searched(api, q)]).toEqual([q, []]);
  });

  it("are found with their signs, and parts of addresses and hyphenated names without", async () => {
    const { api, made, people } = await setUp();
    const names = ["O'Neil", "Anne-Marie", "R2D2", "AT&T", "Smith, Jr.", "3M"];
    const ids = await people(...names);
    for (const [i, name] of names.entries()) await untilFound(api, name, [{ id: ids[i] ?? "" }]);
    await untilFound(api, "marie", [{ id: ids[1] ?? "" }]);
    const mail = await made("/v1/people", {
      emails: ["jo.bloggs@sub.example-mail.test"],
      urls: ["https://www.zz.test/p_a"],
    });
    for (const q of [
      "bloggs",
      "sub.example-mail.test",
      "mail bloggs",
      "www.zz.test",
      "https://www.zz.test/p_a",
      "@sub",
    ])
      await untilFound(api, q, [mail]);
  });

  it("are beginnings too, of one letter on, and never parts within words with blanks", async () => {
    const { api, people } = await setUp();
    const [ada, bea] = await people("Ada Lovelace", "Bea Ovel");
    for (const q of ["l", "lo", "lovelac"]) await untilFound(api, q, [{ id: ada ?? "" }]);
    await untilFound(api, "ove", [{ id: bea ?? "" }]);
    for (const q of ["da", "ovelac", "x"]) expect([q, await searched(api, q)]).toEqual([q, []]);
  });

  it("of scripts without blanks are found wherever they stand, also far within a long run", async () => {
    const { api, made } = await setUp();
    const { id } = await made("/v1/people", { fullName: "X" });
    const note = (content: string) => made("/v1/notes", { entity: { id }, visibility: "public", content });
    const chinese = await note("我们明天在北京大学讨论合同。");
    const thai = await note(`${"การประชุมประจำปี".repeat(40)}งบประมาณ${"การประชุมประจำปี".repeat(40)}`);
    await note("海上生明月");
    for (const q of ["北京", "合同", "京大", "北京大学", "我们 合同", "北京火学"]) await untilFound(api, q, [chinese]);
    const [item] = await untilFound(api, "งบประมาณ", [thai]);
    expect(item?.matched[0]?.text).toContain("งบประมาณ");
    for (const q of ["京北", "上海", "大北"]) expect([q, await searched(api, q)]).toEqual([q, []]);
    const many = Array.from({ length: 99_000 }, (_, i) => String.fromCodePoint(0x3400 + ((i * 7919) % 27_000)));
    await note(many.join(""));
  });

  // docs/guides/search.md#slips
  it("from four letters on are found with one slip at any place, which is never a beginning too", async () => {
    const { api, people } = await setUp();
    const [lovelace, john, anna] = await people("Lovelace", "John", "Anna");
    for (const q of [
      "lovelacee",
      "llovelace",
      "lovexlace",
      "ovelace",
      "lovelac e".replace(" ", ""),
      "lvelace",
      "lovilace",
    ])
      await untilFound(api, q, [{ id: lovelace ?? "" }]);
    for (const q of ["xovelace", "lovelacx", "olvelace", "lovelaec", "lovleace"])
      await untilFound(api, q, [{ id: lovelace ?? "" }]);
    for (const q of ["jhon", "jonh", "johm", "xohn", "johnn"]) await untilFound(api, q, [{ id: john ?? "" }]);
    await untilFound(api, "ann", [{ id: anna ?? "" }]);
    for (const q of ["lovel4c", "lvoealce", "lovxlaxe", "lovelacexy", "lovila", "jhn", "ohn", "anm", "jhonso"])
      expect([q, await searched(api, q)]).toEqual([q, []]);
  });

  it("with a slip are found in other scripts, in options, notes and names of companies", async () => {
    const { api, made, people, ada, group, field } = await setUp();
    const sales = await group(ada);
    await field(ada, sales, "person", { type: "singleSelect", name: "Status", options: [{ label: "Negotiation" }] });
    const [ivan, odysseus] = await people("Иван Королёв", "Οδυσσεύς");
    await untilFound(api, "кородев", [{ id: ivan ?? "" }]);
    await untilFound(api, "корлев", [{ id: ivan ?? "" }]);
    await untilFound(api, "οδισσευς", [{ id: odysseus ?? "" }]);
    const person = await made("/v1/people", {
      fullName: "Q",
      companies: [{ name: "Wayfarers" }],
      groups: [{ id: sales.id }],
      customFieldValues: { [sales.id]: { Status: "Negotiation" } },
    });
    const note = await made("/v1/notes", { entity: { id: person.id }, visibility: "public", content: "a Telescope" });
    expect(fieldsOf((await untilFound(api, "negociation", [person]))[0])).toEqual({
      [`customFieldValues.${sales.id}.Status`]: "Negotiation",
    });
    await untilFound(api, "wayfarrers", [person], "&types=person");
    await untilFound(api, "telesocpe", [note]);
  });

  // docs/guides/search.md#phones
  it("that look like a phone are found by its digits, from the start and behind the country code", async () => {
    const { api, made } = await setUp();
    const swiss = await made("/v1/people", { firstName: "A", phones: ["+41 44 668 18 00"] });
    const plain = await made("/v1/people", { firstName: "B", phones: ["(0)555-0199"] });
    const company = await made("/v1/companies", { name: "C", phones: ["0044 20.7946.0958"] });
    for (const q of [
      "+41 44 668 18 00",
      "+41446681800",
      "0041446681800",
      "(044) 668-18-00",
      "044/668.18",
      "4466",
      "4144",
    ])
      await untilFound(api, q, [swiss]);
    for (const q of ["05550199", "0555", "(0)555-0199"]) await untilFound(api, q, [plain]);
    for (const q of ["+44 20 7946", "020 7946 0958", "207946"]) await untilFound(api, q, [company]);
    for (const q of ["68180", "446681801", "79460958", "4466x", "2079460959"])
      expect([q, await searched(api, q)]).toEqual([q, []]);
    expect(fieldsOf((await untilFound(api, "0446681800", [swiss]))[0])).toEqual({ phones: "+41 44 668 18 00" });
    // Fewer digits are words.
    await untilFound(api, "668", [swiss]);
  });

  // docs/guides/search.md#order
  it("rank finds by the worst kind among the words, then names, then the newest", async () => {
    const { api, made, people } = await setUp();
    const [slip, prefix, exact, second] = await people("Marlowa", "Marlowes", "Marlowe", "Marlowe");
    const title = (await made("/v1/people", { firstName: "T", jobTitle: "marlowe" })).id;
    const { id: company } = await made("/v1/companies", { name: "Marlowe Ltd" });
    const task = await made("/v1/tasks", { entity: { id: company }, title: "Marlowe", ...DAY });
    await untilFound(
      api,
      "marlowe",
      [slip, prefix, exact, second, title, company, task.id].map((id) => ({ id: String(id) })),
    );
    expect(await order(api, "marlowe")).toEqual([task.id, company, second, exact, title, prefix, slip]);
    expect(await order(api, "marlowe", "&limit=3")).toEqual([task.id, company, second]);
    const ids = await people("Rupert Greene", "Rupert Green", "Ruperta Greene", "Rupert Greeme", "Ruperts Grene");
    // The worst kind counts: whole words, then a beginning in either word, then a slip in either.
    expect(await order(api, "rupert greene")).toEqual([0, 2, 4, 3, 1].map((i) => ids[i]));
  });

  it("rank people who were met lately before others, and what is about them too", async () => {
    const { api, made, people } = await setUp();
    const ids = await people("Sam One", "Sam Two", "Sam Three");
    const notes: string[] = [];
    for (const id of ids)
      notes.push((await made("/v1/notes", { entity: { id }, visibility: "public", content: "walrus" })).id);
    const meet = (id = "", dateTime = "") =>
      made("/v1/interactions", { entity: { id }, dateTime, title: "T", content: "x", activityType: "meeting" });
    await meet(ids[0], "2026-02-01T10:00:00Z");
    await meet(ids[1], "2026-01-01T10:00:00Z");
    const wanted = [0, 1, 2];
    const isIn = (found: string[], all: string[]) => found.join() === wanted.map((i) => all[i]).join();
    await until("people in the order of their interactions", async () => isIn(await order(api, "sam"), ids));
    expect(await order(api, "walrus")).toEqual(notes);
    const [older, newer] = await people("Samson", "Sam Aaron");
    expect(await order(api, "sam")).toEqual([...ids.slice(0, 2), newer, ids[2], older]);
  });
});
