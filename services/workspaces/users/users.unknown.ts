import { type ApiError, unprocessable } from "../../../base/contract/errors.ts";
import { custom, type Path } from "../../../base/contract/issues.ts";
import { didYouMean } from "../../../base/values/known-names.ts";
import type { Definitions } from "../../../model/definitions/definitions.ts";

/** The error of an e-mail address that no user of the workspace has. It tells those that there are. */
export function noUser(definitions: Definitions, email: string, path: Path): ApiError {
  const emails = [...definitions.users.values()].filter((user) => !user.removed).map((user) => user.email);
  const known = didYouMean(email, emails, {
    all: '"users list"',
    none: 'It has no user at all: add one with "users add".',
  });
  const message = `The workspace has no user with the e-mail address ${email.slice(0, 320) || '""'}. ${known}`;
  return unprocessable([custom(path, message.replace(/\.$/, ""))]);
}
