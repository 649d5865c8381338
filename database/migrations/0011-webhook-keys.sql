-- The API keys with which a webhook was made or changed, so that one who revokes a leaked key learns what it has left behind. Webhooks
-- that were made before name none. docs/guides/webhooks.md#when-a-key-has-leaked
alter table webhooks add column key_ids uuid[] not null default '{}';
