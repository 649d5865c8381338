create table users (
  workspace_id uuid not null references workspaces on delete cascade,
  id uuid not null,
  email text not null,
  -- The address as addresses are compared: NFC and lower case.
  email_key text not null,
  full_name text not null,
  role text not null check (role in ('admin', 'member')),
  created_at timestamptz(3) not null,
  -- A removed user stays, because records still name who made them.
  removed_at timestamptz(3),
  primary key (workspace_id, id)
);
-- The address of a removed user may be given to another.
create unique index users_email on users (workspace_id, email_key) where removed_at is null;

create table api_keys (
  workspace_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  hash bytea not null,
  access text not null check (access in ('full', 'read')),
  created_at timestamptz(3) not null,
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  last_used_at timestamptz(3),
  primary key (workspace_id, id),
  foreign key (workspace_id, user_id) references users on delete cascade
);
create unique index api_keys_hash on api_keys (hash);
