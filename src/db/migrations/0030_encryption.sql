-- Encryption at rest: the keys in use, and contacts of accounts encrypted with them. src/secrets says how.
-- Older processes survive it, but read an encrypted contact as none, and an account that one of them erases keeps its encrypted contact:
-- stop them before the loop `encrypt` runs.

-- The keys that stored values were encrypted with, and the one that processes have now. Not the keys themselves: an id and a check value,
-- both computed from the key. A key is removed when a process starts without it and nothing is encrypted with it any more.
create table usance.encryption_keys (
  id            text primary key check (id ~ '^[0-9a-f]{8}$'),
  check_value   bytea not null check (octet_length(check_value) = 16),
  -- When a process last started with it as its current key while another key was the latest. The latest of all is the one that the
  -- loop `encrypt` encrypts with: two workers in the middle of a rotation do not encrypt against each other.
  current_since timestamptz not null
);

-- The id of the key of an encrypted value: bytes 2 to 5.
create function usance.encryption_key_of(value bytea) returns text
  language sql immutable strict parallel safe
  return encode(substr(value, 2, 4), 'hex');

-- `contact` keeps values from before until the loop `encrypt` has moved them to `contact_encrypted`. The key has a column of its own, so
-- that a foreign key refuses values of a key that was removed, and keeps a key that values need.
alter table usance.accounts
  add column contact_encrypted bytea,
  add column contact_key text,
  add constraint accounts_contact_is_encrypted check (octet_length(contact_encrypted) >= 33 and get_byte(contact_encrypted, 0) = 1),
  add constraint accounts_contact_key_is_its_own check (contact_key is not distinct from usance.encryption_key_of(contact_encrypted)),
  add constraint accounts_contact_encryption_key foreign key (contact_key) references usance.encryption_keys (id);

-- Accounts by the key of their contact: for the foreign key, for the loop, and for the doctor's count.
create index accounts_by_contact_key on usance.accounts (contact_key, id) where contact_key is not null;
-- Contacts that are not encrypted yet. Empty once the loop is done.
create index accounts_plain_contact on usance.accounts (id) where contact is not null;
