import { spawnSync } from "node:child_process";
import { expect, it } from "@jest/globals";
import { FORMS, requestCode } from "contact-workspace-pages/request-code";
import { testFolder } from "../support/folder.ts";
import { describeServer } from "../support/scene.ts";
import { runProgram } from "./run-program.ts";

/** Form of a request in the guides → the program that runs it, and a file for it. */
const PROGRAMS = {
  curl: ["bash", "request.sh"],
  JavaScript: [process.execPath, "request.mjs"],
  Python: ["python3", "request.py"],
} as const;

describeServer("Requests of the guides as code", (scene) => {
  const forms = Object.keys(FORMS) as (keyof typeof FORMS)[];

  it.each(forms)("do what the request does: %s", async (form) => {
    const [program, file] = PROGRAMS[form];
    if (spawnSync(program, ["--version"]).error) return;
    const { ada } = await scene.workspace();
    const files = testFolder();
    const run = async (request: string) => {
      const code = requestCode(request, { form, server: scene.server.base, hasKey: true });
      const { out, err } = await runProgram(program, [files.write(file, code)], files.path, { KEY: ada.key });
      if (out === "") throw new Error(`${code}\nprinted nothing: ${err}`);
      return JSON.parse(out);
    };
    try {
      const name = `Åse "O'Neil" ${form}`;
      const body = JSON.stringify({ fullName: name, jobTitle: "Analyst\nand $HOME" });
      const made = await run(`POST /v1/people\nIdempotency-Key: first\n\n${body}`);
      expect(made.data).toMatchObject({ fullName: name, jobTitle: "Analyst\nand $HOME" });
      const found = await run("GET /v1/people?filter[fullName][like]=ÅSE");
      expect(found.data.items.map(({ id }: { id: string }) => id)).toEqual([made.data.id]);
      await run(`DELETE /v1/people/${made.data.id}`);
      expect((await scene.api(ada).get("/v1/people")).items).toEqual([]);
    } finally {
      files.remove();
    }
  });
});
