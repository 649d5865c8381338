const KIB = 1024;
const MIB = 1024 * KIB;
const SECOND_MS = 1000;
const DAY_MS = 24 * 60 * 60 * SECOND_MS;

/** Largest body of a request. A larger one is 413: docs/guides/conventions.md#bodies. */
export const BODY_BYTES_MAX = 10 * MIB;

/** Deepest nesting of a JSON body. A deeper one is 400: docs/guides/conventions.md#bodies. */
export const JSON_DEPTH_MAX = 64;

/**
 * Members of objects and elements of lists in a JSON body, all together. With more it is 413:
 * docs/guides/limits.md#sizes. Ten megabytes of references, `{"id":"per_…"}`, are 420,000 of them, and nothing else
 * that a schema takes is as short.
 */
export const BODY_VALUES_MAX = 500_000;

/**
 * A body of more bytes is read, judged and hashed in a worker. One of this size holds the event loop for some 25 ms at
 * worst, and larger ones are rare. docs/decisions/0017-event-loop.md
 */
export const LARGE_BODY_BYTES = 64 * KIB;

/**
 * Headers and URL of a request together. With more it is 400, 414 or 431, and the connection is closed:
 * docs/guides/limits.md#sizes.
 */
export const HEAD_BYTES_MAX = 32 * KIB;

/**
 * Connections of clients to a gateway. When all are taken, the one that has been idle for the longest, of the address
 * that has the most, is closed for a new one; an idle one takes some ten kilobytes. docs/guides/under-load.md
 */
export const CONNECTIONS_MAX = 10_000;

/** Connections of one address, unless it is a trusted proxy: half of all. docs/guides/under-load.md */
export const CONNECTIONS_PER_ADDRESS_MAX = 5_000;

/**
 * Longest time for headers to arrive. Then it is 408, or the connection is closed: docs/guides/under-load.md.
 */
export const HEADERS_WAIT_MS = 10 * SECOND_MS;

/**
 * Longest time for a request with its body to arrive. Then it is 408, or the connection is closed:
 * docs/guides/under-load.md.
 */
export const BODY_WAIT_MS = 30 * SECOND_MS;

/**
 * Longest time of a call of an action. It leaves the gateway time to answer 503 within 10 s of the last byte of the
 * request.
 * docs/guides/under-load.md
 */
export const CALL_MS_MAX = 8 * SECOND_MS;

/**
 * Longest time of a request, from its last byte on. The rest of 10 s is for sending the answer.
 * docs/guides/under-load.md
 */
export const REQUEST_MS_MAX = 9.5 * SECOND_MS;

/**
 * Bytes of answers that wait in a gateway for clients to read them: a few of the largest. What finds no room is 503.
 * docs/guides/under-load.md
 */
export const UNSENT_BYTES_MAX = 128 * MIB;

/** Part of them for the clients of one workspace. */
export const UNSENT_BYTES_OF_ONE_MAX = 48 * MIB;

/** The same for pages, which need no key. One address can have half of it. */
export const UNSENT_PAGE_BYTES_MAX = 64 * MIB;

/**
 * Bytes of large answers that a workspace is sent in a second, on average, while others are here.
 * docs/guides/under-load.md#turns
 */
export const ANSWER_BYTES_PER_S = 16 * MIB;

/**
 * Answers from this size on are compressed for clients that take them so. A page of twenty ordinary records is smaller:
 * to compress it would make it a quarter dearer, to save some milliseconds of a slow line.
 * docs/guides/conventions.md#compression
 */
export const COMPRESSED_BYTES_MIN = 32 * KIB;

/**
 * Bytes of answers that are being compressed or wait for it. What finds no room is sent as it is.
 * docs/guides/under-load.md
 */
export const COMPRESSING_BYTES_MAX = 64 * MIB;

/** Part of them for the clients of one workspace. */
export const COMPRESSING_BYTES_OF_ONE_MAX = 24 * MIB;

/**
 * Longest time in which a client reads nothing of a large answer that waits for it. Then the connection is closed.
 * docs/guides/under-load.md
 */
export const ANSWER_SILENCE_MS = 10 * SECOND_MS;

/**
 * Time that `/readyz` waits for the answers of the database, the bus and the nodes, so that it answers within 500 ms
 * itself: a load balancer with a shorter patience than that would take out all gateways at once.
 * docs/guides/monitoring.md#health
 */
export const READY_CHECK_MS = 400;

/**
 * Time for which all callers of `/readyz` get the same answer, because its checks cost more than a probe.
 * docs/guides/monitoring.md#health
 */
export const READY_KEPT_MS = 500;

/** The `Retry-After` of a 503. docs/guides/under-load.md */
export const RETRY_AFTER_S = 1;

/**
 * Longest time that a stopping process waits for running requests, none of which may take longer.
 * docs/guides/running.md#stopping
 */
export const DRAIN_MS_MAX = 10 * SECOND_MS;

/** Entries of a page without `limit`. docs/guides/lists.md#pages */
export const PAGE_LIMIT_DEFAULT = 20;

/** Entries of a page at most. docs/guides/lists.md#pages */
export const PAGE_LIMIT_MAX = 100;

/**
 * Text of the entries of a page, in UTF-16 units. With more it ends early, and `nextLink` goes on:
 * docs/guides/lists.md#pages. It is sixteen of the largest records, and three times as much as a page of a hundred
 * records with 12 KB each.
 */
export const PAGE_LENGTH_MAX = 4 * MIB;

/**
 * Text of the answer to a batch, in UTF-16 units. With more the whole batch is 422:
 * docs/guides/batches.md#what-refuses-the-whole-batch. It holds the records of the largest body, with their names and
 * ids.
 */
export const BATCH_ANSWER_LENGTH_MAX = 4 * MIB;

/** Length of a cursor. docs/guides/lists.md#cursors */
export const CURSOR_LENGTH_MAX = 512;

/** Records of a batch. With more the whole batch is 422: docs/guides/batches.md#what-refuses-the-whole-batch. */
export const BATCH_RECORDS_MAX = 100;

/** Operations of a transaction. docs/guides/transactions.md#operations */
export const TRANSACTION_OPERATIONS_MAX = 100;

/** Match keys of an upsert. docs/guides/upsert.md#match-keys */
export const MATCH_KEYS_MAX = 5;

/** UTF-16 units of a match key: the longest name of a custom field, in whatever normal form, with its group. */
export const MATCH_KEY_LENGTH_MAX = 1200;

/**
 * Bytes of the custom values of one record, in all its groups together, as JSON in UTF-8. A write that would leave it
 * with more is
 * 422. Every read and write of a record handles all of its values at once. A record whose every type of field holds as
 * much as one value may has 200 KB. docs/guides/limits.md#what-a-workspace-may-have
 */
export const RECORD_VALUES_BYTES_MAX = 256 * KIB;

/** Length of an `{objectType}` or `{entityType}` in a path. docs/guides/limits.md#sizes */
export const OBJECT_TYPE_LENGTH_MAX = 500;

// Bounds for the definitions of a workspace. A process keeps all of them in memory and reads them whole whenever one
// changes, so their number decides how long everybody waits for that. docs/guides/limits.md#what-a-workspace-may-have

/** Users of a workspace, without those who were removed. */
export const USERS_MAX = 10_000;

/** Groups of a workspace. */
export const GROUPS_MAX = 1000;

/** Memberships in all groups of a workspace together: a thousand users in fifty private groups each. */
export const MEMBERSHIPS_MAX = 50_000;

export const OBJECT_TYPES_OF_GROUP_MAX = 100;

/**
 * Custom fields of a group, of all its entity types together: a record's answer has one member for each of its type.
 */
export const FIELDS_OF_GROUP_MAX = 1000;

/** Custom fields of all groups of a workspace together. */
export const FIELDS_MAX = 5000;

/** Options of a field: they are answered with it. */
export const OPTIONS_OF_FIELD_MAX = 10_000;

/** Options of all fields of a workspace together. */
export const OPTIONS_MAX = 20_000;

/** Length of the name of a group. docs/guides/access.md#groups */
export const GROUP_NAME_LENGTH_MAX = 255;

/** Length of the name of a custom field. docs/guides/custom-fields.md#definitions */
export const FIELD_NAME_LENGTH_MAX = 255;

/** Length of the label of an option. docs/guides/custom-fields.md#options */
export const LABEL_LENGTH_MAX = 500;

/** Length of the e-mail address of a user. docs/guides/access.md#users */
export const EMAIL_LENGTH_MAX = 320;

/** Length of a text in a filter: that of the longest text of any field. docs/guides/filters.md#text */
export const FILTER_TEXT_LENGTH_MAX = 5000;

/** Length of a full text search. docs/guides/notes.md#search */
export const SEARCH_LENGTH_MAX = 1000;

/** Conditions of one filter. docs/guides/filters.md#conditions */
export const FILTER_CONDITIONS_MAX = 50;

/** Values of one condition. docs/guides/filters.md#conditions */
export const FILTER_VALUES_MAX = 100;

/** Fields by which records are counted at once. docs/guides/aggregates.md#groups */
export const DIMENSIONS_MAX = 2;

/** Measures of one count. docs/guides/aggregates.md#measures */
export const MEASURES_MAX = 5;

/**
 * Characters of a filter in a body, those of all its names and values together: fifty conditions of a hundred values
 * that are longer than an id. A filter in a URL ends with the head of its request. docs/guides/filters.md#conditions
 */
export const FILTER_CHARACTERS_MAX = 250_000;

/** Length of an Idempotency-Key. docs/guides/idempotency.md#keys */
export const IDEMPOTENCY_KEY_LENGTH_MAX = 255;

/** Largest answer that is kept for a replay. docs/guides/idempotency.md#large-answers */
export const SAVED_RESPONSE_BYTES_MAX = MIB;

/**
 * Bytes of answers saved for replays, for a user in an hour. Without the bound a user could fill 36 GB of disk in an
 * hour within their rate limits; this is what 20,000 batches of a hundred ordinary records answer.
 * docs/guides/idempotency.md#large-answers
 */
export const SAVED_BYTES_OF_USER_MAX = 2 * 1024 * MIB;

/**
 * Answers up to this size are kept beyond that too, so single writes always are.
 * docs/guides/idempotency.md#large-answers
 */
export const ALWAYS_SAVED_BYTES_MAX = 16 * KIB;

/** Credits of a new workspace. docs/guides/enrichment.md#credits */
export const CREDITS_NEW = 100;

/** Credits that a workspace may be given. */
export const CREDITS_MAX = 1_000_000_000;

/** Longest time for the answer of a provider of enrichments. docs/guides/enrichment.md#attempts */
export const ENRICHMENT_ANSWER_MS_MAX = 15 * SECOND_MS;

/** Largest answer of a provider of enrichments. docs/guides/enrichment.md#answers */
export const ENRICHMENT_ANSWER_BYTES_MAX = MIB;

/**
 * Webhooks of a workspace: each event is compared with the subscriptions of all of them.
 * docs/guides/limits.md#what-a-workspace-may-have
 */
export const WEBHOOKS_MAX = 1000;

/**
 * Deliveries of a workspace that wait to be sent. Those of further events are made later, and sending events again is
 * refused. docs/guides/webhook-deliveries.md#how-many-may-wait, docs/guides/webhooks.md#sending-again
 */
export const PENDING_DELIVERIES_MAX = 100_000;

/** Length of the name of a webhook. docs/guides/webhooks.md#fields */
export const WEBHOOK_NAME_LENGTH_MAX = 255;

/** Length of the URL of a webhook. docs/guides/webhooks.md#targets */
export const TARGET_URL_LENGTH_MAX = 2048;

/** Entries of `subscribedEvents` of a webhook. docs/guides/webhooks.md#fields */
export const SUBSCRIBED_EVENTS_MAX = 20;

/** Entries of the `path` in a filter of a webhook. docs/guides/webhooks.md#filters */
export const WEBHOOK_FILTER_PATH_MAX = 3;

/** Length of a text in a filter of a webhook. docs/guides/webhooks.md#filters */
export const WEBHOOK_FILTER_TEXT_LENGTH_MAX = 255;

/** Time for which a replaced signing secret goes on signing. docs/guides/webhooks.md#rotating-the-secret */
export const REPLACED_SECRET_MS = 24 * 60 * 60 * SECOND_MS;

/**
 * Replaced secrets that sign at the same time: each makes the header of every delivery longer.
 * docs/guides/webhooks.md#rotating-the-secret
 */
export const REPLACED_SECRETS_MAX = 10;

/** Events that one request may send to a webhook again. docs/guides/webhooks.md#sending-again */
export const REPLAYED_EVENTS_MAX = 20_000;

/**
 * Time for which a published event is kept. It is not shorter than the time for deliveries, which refer to events.
 * docs/guides/running.md#what-is-kept-how-long
 */
export const EVENTS_KEPT_MS = 30 * DAY_MS;

/**
 * Time for which a delivery is kept after it was made, unless it is still to be delivered.
 * docs/guides/running.md#what-is-kept-how-long
 */
export const DELIVERIES_KEPT_MS = 30 * DAY_MS;

/** Open streams of events of a user, in all gateways together. docs/guides/event-feed.md#the-stream */
export const EVENT_STREAMS_OF_USER_MAX = 5;

/** Open streams of events in one gateway. One more is 503. docs/guides/under-load.md */
export const EVENT_STREAMS_MAX = 2000;

/** Longest time that a stream of events stays open. docs/guides/event-feed.md#when-it-ends */
export const EVENT_STREAM_MS_MAX = 60 * 60 * SECOND_MS;

/** Longest time of an attempt of a webhook delivery, all of it. docs/guides/webhook-deliveries.md#the-request */
export const WEBHOOK_ATTEMPT_MS_MAX = 20 * SECOND_MS;

/** Bytes that are read of the body of a receiver's answer. docs/guides/webhook-deliveries.md#the-request */
export const WEBHOOK_ANSWER_BYTES_MAX = 16 * KIB;

/** The longest wait that a receiver may ask for with `Retry-After`. docs/guides/webhook-deliveries.md#retries */
export const WEBHOOK_RETRY_AFTER_MS_MAX = 24 * 60 * 60 * SECOND_MS;

/**
 * Days without a success after which a webhook becomes inactive.
 * docs/guides/webhook-deliveries.md#when-a-webhook-is-switched-off
 */
export const WEBHOOK_FAILING_DAYS_MAX = 5;

/** Maximum number of deliveries that one webhook gets at once. docs/guides/webhook-deliveries.md#order */
export const WEBHOOK_REQUESTS_AT_ONCE = 8;

/**
 * Maximum number of requests to receivers that a process has under way. Each holds a socket, and with TLS some 100 KB.
 */
export const WEBHOOK_REQUESTS_AT_ONCE_ALL = 512;

/** Part of them for receivers whose last attempt has failed: those may hang, and must not take the places of others. */
export const WEBHOOK_REQUESTS_AT_ONCE_FAILING = 256;

/**
 * Maximum number of webhooks that a process serves at once. One that hangs holds nothing but sockets, so they are many;
 * each costs some 20 KB and a place in two statements every half second.
 */
export const WEBHOOKS_HELD_MAX = 500;

/** Longest time that a rotated API key goes on. docs/guides/keys.md#rotating-a-key */
export const KEY_OVERLAP_DAYS_MAX = 90;

/**
 * Maximum number of rows up to which the losses by a workspace file are counted, so that the plan is there soon.
 * docs/guides/workspace-file.md#the-plan
 */
export const LOSSES_COUNTED_MAX = 100_000;

/**
 * Longest time that attempts go on when their process is stopped. Another process sends those without an answer again.
 */
export const WEBHOOK_STOP_MS_MAX = 4 * SECOND_MS;

/**
 * Number of the last requests of a workspace that the log of requests keeps. docs/guides/request-log.md#what-is-kept
 */
export const REQUESTS_LOGGED = 1000;

/**
 * Maximum number of requests of a workspace that a gateway writes into the log at once, the latest: 4,000 requests a
 * second would cost a thirtieth more CPU, and the thousand that are kept would be those of a quarter of a second.
 */
export const REQUESTS_LOGGED_AT_ONCE = 250;

/** Interval at which a gateway writes answered requests into the log. docs/guides/request-log.md#what-is-kept */
export const REQUEST_LOG_EVERY_MS = SECOND_MS;

/**
 * Maximum number of requests of all workspaces that wait for that, each with some 300 bytes: while the database is away
 * they become many.
 */
export const REQUEST_LOG_WAITING_MAX = 20_000;

/** Characters of a search over everything. docs/guides/search.md#asking */
export const ASKED_LENGTH_MAX = 200;
/** Items of a search, without `limit` and at most. */
export const SEARCH_LIMIT_DEFAULT = 20;
export const SEARCH_LIMIT_MAX = 50;
