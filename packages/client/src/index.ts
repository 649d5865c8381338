export type { AnswerHeaders } from "./call.ts";
export { type ClientOptions, type ContactWorkspaceClient, createClient } from "./client.ts";
export type { Clock } from "./clock.ts";
export { type CustomFieldName, customField } from "./custom-field.ts";
export { ContactWorkspaceError, type ErrorCode, type ErrorDetails, type Issue } from "./errors.ts";
export { API_VERSION, type components, type operations, type paths } from "./generated/schema.ts";
export { type EntryOf, type ListPath, type PageOf, type Paginated, paginate, type SearchPath } from "./paginate.ts";
export { serializeQuery } from "./query.ts";
export { type Unwrapped, unwrap, unwrapAnswer } from "./unwrap.ts";
export {
  verifyWebhook,
  type WebhookEvent,
  type WebhookRefusal,
  type WebhookRequest,
  WebhookVerificationError,
} from "./webhooks.ts";
